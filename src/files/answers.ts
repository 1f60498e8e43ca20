import type { FileOperation, FileResult } from './types.ts';

/** What a worker may answer to each operation, besides `failed`. */
export const answers = {
  read: 'data',
  write: 'done',
  open: 'opened',
  readAt: 'data',
  writeAt: 'written',
  close: 'done',
  list: 'entries',
  stat: 'stat',
  makeDirectory: 'done',
  copy: 'done',
  rename: 'done',
  link: 'done',
  symlink: 'done',
  readlink: 'path',
  realpath: 'path',
  truncate: 'done',
  times: 'done',
  owner: 'done',
  mode: 'done',
  remove: 'done',
  temporary: 'path',
  access: 'done',
  watch: 'opened',
  unwatch: 'done',
} as const satisfies Readonly<Record<FileOperation['kind'], FileResult['kind']>>;

/** The answer to an operation that was done. */
export type AnswerTo<Operation extends FileOperation> = Extract<
  FileResult,
  { readonly kind: (typeof answers)[Operation['kind']] }
>;
