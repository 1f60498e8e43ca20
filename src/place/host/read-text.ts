import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

const largest = 1 << 20;

/** Returns the text. Empty unless the path is a regular file of reasonable size, because a FIFO would block. */
export function readText(path: string, encoding: 'utf8' | 'latin1' = 'utf8'): string {
  let fd: number | undefined;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = fstatSync(fd);
    return stats.isFile() && stats.size <= largest ? readFileSync(fd, encoding) : '';
  } catch {
    return '';
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
