import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { HoldfastError } from '../../errors/index.ts';

/** Reads a file of the command line as UTF-8. Throws `HF_USAGE` for anything else. */
export function readNamedFile(path: string): string {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch (cause) {
    const { code = 'unknown error' } = cause as NodeJS.ErrnoException;
    throw unusable(path, code === 'ENOENT' ? 'it does not exist' : code);
  }
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw unusable(path, 'it is not a regular file');
    if (stats.size > longest) throw unusable(path, `it has more than ${longest >> 20} MiB`);
    return readFileSync(fd, 'utf8');
  } finally {
    closeSync(fd);
  }
}

/** Bytes. */
const longest = 16 << 20;

function unusable(path: string, why: string): HoldfastError {
  return new HoldfastError('HF_USAGE', `${path} cannot be read: ${why}`, { remedy: 'name a file that you can read' });
}
