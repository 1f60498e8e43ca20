import process from 'node:process';

/** `asm-generic/fcntl.h`; `O_DIRECTORY` and `O_NOFOLLOW` differ between processors. */
export const openFlags = {
  accessMode: 0o3,
  writeOnly: 0o1,
  readWrite: 0o2,
  create: 0o100,
  exclusive: 0o200,
  noTerminal: 0o400,
  truncate: 0o1000,
  append: 0o2000,
  nonBlocking: 0o4000,
  dataSync: 0o10000,
  async: 0o20000,
  largeFile: 0o100000,
  noAccessTime: 0o1000000,
  closeOnExec: 0o2000000,
  sync: 0o4000000,
  path: 0o10000000,
  temporary: 0o20000000,
  directory: process.arch === 'arm64' ? 0o40000 : 0o200000,
  noFollow: process.arch === 'arm64' ? 0o100000 : 0o400000,
  direct: process.arch === 'arm64' ? 0o200000 : 0o40000,
} as const;
