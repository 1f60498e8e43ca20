import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import process from 'node:process';
import { HoldfastError } from '../../errors/index.ts';
import { type CommandInput, safeText, optionText } from '../command.ts';

/** Writes to stdout, or to the file of `--output`, which only its owner can read and which appears once complete. */
export function writeOutput({ io, values }: Pick<CommandInput, 'io' | 'values'>, pieces: Iterable<string>): void {
  const output = optionText(values['output']);
  if (output === undefined) {
    for (const piece of gathered(pieces)) io.stdout.write(piece);
    return;
  }
  const file = resolve(io.cwd, output);
  replaceFile(file, gathered(pieces));
  io.stderr.write(safeText(`holdfast: written to ${file}\n`));
}

const pieceSize = 1 << 16;

/** Joins pieces, because many small writes would cost more than making them. */
function* gathered(pieces: Iterable<string>): Generator<string, void, undefined> {
  let waiting = '';
  for (const piece of pieces) {
    waiting += piece;
    if (waiting.length < pieceSize) continue;
    yield waiting;
    waiting = '';
  }
  yield waiting;
}

/** Renames over the existing name: a link that a box left there is replaced, and not followed. */
function replaceFile(file: string, pieces: Iterable<string>): void {
  const fresh = `${file}.${process.pid}.new`;
  try {
    const fd = openSync(fresh, 'wx', 0o600);
    try {
      for (const piece of pieces) writeWhole(fd, piece);
    } finally {
      closeSync(fd);
    }
    renameSync(fresh, file);
  } catch (cause) {
    rmSync(fresh, { force: true });
    const { code } = cause as NodeJS.ErrnoException;
    if (code === undefined) throw cause;
    throw new HoldfastError('HF_USAGE', `${file} cannot be written (${code})`, {
      remedy: 'name another file with --output',
      cause,
    });
  }
}

function writeWhole(fd: number, piece: string): void {
  const bytes = Buffer.from(piece);
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
}
