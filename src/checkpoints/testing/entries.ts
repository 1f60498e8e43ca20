import type { StoredDirectory, StoredFile, StoredSymlink } from '../types.ts';

const common = { mode: 0o644, uid: 0, gid: 0, modified: 1n, attributes: {}, device: 1n, changed: 1n };

/** Each path has its own inode unless the facts name one. */
export function file(path: string, facts: Partial<StoredFile> = {}): StoredFile {
  return { kind: 'file', path, size: 1, object: 'content', inode: inodeOf(path), ...common, ...facts };
}

export function directory(path: string, facts: Partial<StoredDirectory> = {}): StoredDirectory {
  return { kind: 'directory', path, inode: inodeOf(path), ...common, ...facts };
}

export function symlink(path: string, target: string): StoredSymlink {
  return { kind: 'symlink', path, target, inode: inodeOf(path), ...common };
}

function inodeOf(path: string): bigint {
  return [...Buffer.from(path, 'latin1')].reduce((sum, byte) => sum * 257n + BigInt(byte), 1000n);
}
