import type { Line } from '../../staged/diff/index.ts';
import { coloured, coloursOf } from '../colours.ts';
import type { CommandIo } from '../command.ts';

export function writeLines(lines: readonly Line[], io: CommandIo): void {
  const plain = coloursOf(io) === 'plain';
  io.stdout.write(lines.map((line) => `${plain ? line.text : coloured(line)}\n`).join(''));
}
