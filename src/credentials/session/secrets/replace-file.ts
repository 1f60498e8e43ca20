import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import process from 'node:process';

/**
 * Replaces what a file holds, all at once: whoever reads it meanwhile has the old text or the new one. Its mode stays,
 * and so does a symlink that leads to it; a new file is its owner's alone.
 */
export function replaceFile(path: string, text: string): void {
  const real = existsSync(path) ? realpathSync(path) : path;
  const mode = existsSync(real) ? statSync(real).mode & 0o7777 : 0o600;
  const fresh = `${real}.${process.pid}.new`;
  try {
    write(fresh, text);
    chmodSync(fresh, mode);
    renameSync(fresh, real);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
}

function write(path: string, text: string): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
