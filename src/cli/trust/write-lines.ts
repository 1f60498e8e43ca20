import process from 'node:process';
import type { Line } from '../../staged/diff/index.ts';
import { coloured } from '../colours.ts';
import type { CommandIo } from '../command.ts';

/** In colours on a terminal, unless `NO_COLOR` is set: no-color.org. */
export function writeLines(lines: readonly Line[], { stdout, environment }: CommandIo): void {
  const plain = stdout !== process.stdout || !process.stdout.isTTY || (environment['NO_COLOR'] ?? '') !== '';
  stdout.write(lines.map((line) => `${plain ? line.text : coloured(line)}\n`).join(''));
}
