import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { callFile, partFile } from './file-name.ts';

/** The file of one call while it is written: lines of JSON, in members of gzip. */
export interface CallFile {
  /** Throws what the file system says. */
  line(value: unknown): void;
  /** From here on the call can be read. Returns its bytes on the disk. Throws what the file system says. */
  finish(): number;
  /** As if it had never been. */
  drop(): void;
}

/** Characters that wait to be compressed together. */
const memberLength = 65_536;
const level = 3;

/** Throws what the file system says. */
export function openCallFile(directory: string, id: string): CallFile {
  const part = partFile(directory, id);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const fd = openSync(part, 'wx', 0o600);
  let waiting = '';
  let size = 0;
  let state: 'open' | 'closed' = 'open';
  const flush = (): void => {
    if (waiting === '') return;
    const bytes = gzipSync(waiting, { level });
    waiting = '';
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
    size += bytes.length;
  };
  const close = (): void => {
    if (state === 'open') closeSync(fd);
    state = 'closed';
  };
  return {
    line(value) {
      waiting += `${JSON.stringify(value)}\n`;
      if (waiting.length >= memberLength) flush();
    },
    finish() {
      flush();
      close();
      renameSync(part, callFile(directory, id));
      return size;
    },
    drop() {
      close();
      rmSync(part, { force: true });
    },
  };
}
