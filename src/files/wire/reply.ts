import type { FileOperation, FileResult, FileType, WatchEvent } from '../types.ts';

/** In the first frame of the worker. A worker of another version is refused. */
export const filesVersion = 1;

/** Bytes after a frame's length, in both directions. */
export const largestFileFrame = 1024 * 1024;

/** Limits of the worker. */
export interface WorkerLimits {
  readonly largestFrame: number;
  readonly largestPayload: number;
  /** Open files at a time. More fail with EMFILE. */
  readonly handles: number;
  /** Watches at a time. More fail with EMFILE. */
  readonly watches: number;
}

/**
 * One frame of the worker. The first is `hello`. A request gets one `result` for each tried operation, in order and as
 * soon as it is done, then one `end`. Requests are answered one after the other, in their order. Only events come in
 * between. After `error` the worker has ended.
 */
export type WorkerReply =
  | { readonly kind: 'hello'; readonly version: number; readonly limits: WorkerLimits }
  | { readonly kind: 'result'; readonly id: number; readonly index: number; readonly result: FileResult }
  /** `done` operations were tried, including failed ones. The others were not, and never will be. */
  | { readonly kind: 'end'; readonly id: number; readonly done: number }
  | { readonly kind: 'event'; readonly event: WatchEvent }
  | { readonly kind: 'error'; readonly message: string };

/** As in `native/src/files/protocol.h`: the index in the list is the number on the wire. */
export const fileRequestKind = { request: 1, cancel: 2 } as const;

export const operationCode: Readonly<Record<FileOperation['kind'], number>> = {
  read: 1,
  write: 2,
  open: 3,
  readAt: 4,
  writeAt: 5,
  close: 6,
  list: 7,
  stat: 8,
  makeDirectory: 9,
  copy: 10,
  rename: 11,
  link: 12,
  symlink: 13,
  readlink: 14,
  realpath: 15,
  truncate: 16,
  times: 17,
  owner: 18,
  mode: 19,
  remove: 20,
  temporary: 21,
  access: 22,
  watch: 23,
  unwatch: 24,
};

export const fileTypes: readonly FileType[] = [
  'unknown',
  'file',
  'directory',
  'symlink',
  'fifo',
  'socket',
  'character-device',
  'block-device',
];

export const watchEvents: readonly WatchEvent['event'][] = [
  'created',
  'changed',
  'deleted',
  'moved-from',
  'moved-to',
  'attributes',
  'overflow',
  'gone',
];
