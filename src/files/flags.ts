import { constants } from 'node:fs';
import { HoldfastError } from '../errors/index.ts';

/** How a file is opened for writing, in the letters of `node:fs`. */
export type WriteFlag = 'w' | 'wx' | 'a' | 'ax' | 'r+' | 'ws' | 'as';

const { O_APPEND, O_CREAT, O_EXCL, O_SYNC, O_TRUNC } = constants;

const flags: Readonly<Record<WriteFlag, number>> = {
  w: O_CREAT | O_TRUNC,
  wx: O_CREAT | O_TRUNC | O_EXCL,
  a: O_CREAT | O_APPEND,
  ax: O_CREAT | O_APPEND | O_EXCL,
  'r+': 0,
  ws: O_CREAT | O_TRUNC | O_SYNC,
  as: O_CREAT | O_APPEND | O_SYNC,
};

/** As in `open(2)`, without access mode. Throws `HF_USAGE` for letters that mean nothing. */
export function writeFlags(flag: WriteFlag): number {
  if (Object.hasOwn(flags, flag)) return flags[flag];
  throw new HoldfastError('HF_USAGE', `the flag ${JSON.stringify(flag)} is none for writing`, { remedy: `use one of: ${Object.keys(flags).join(' ')}` });
}

export function appends(flag: WriteFlag): boolean {
  return (writeFlags(flag) & O_APPEND) !== 0;
}
