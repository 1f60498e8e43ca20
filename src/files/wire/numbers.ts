import type { FileOperation, FileType, WatchEvent } from '../types.ts';

/** As in `native/src/files/protocol.h`: the place in the list is the number on the wire. */
export const requestKind = { request: 1, cancel: 2 } as const;

export const operationCode: Readonly<Record<FileOperation['kind'], number>> = {
  read: 1, write: 2, open: 3, readAt: 4, writeAt: 5, close: 6, list: 7, stat: 8, makeDirectory: 9, copy: 10, rename: 11, link: 12,
  symlink: 13, readlink: 14, realpath: 15, truncate: 16, times: 17, owner: 18, mode: 19, remove: 20, temporary: 21, access: 22,
  watch: 23, unwatch: 24,
};

export const fileTypes: readonly FileType[] = ['unknown', 'file', 'directory', 'symlink', 'fifo', 'socket', 'character-device', 'block-device'];

export const watchEvents: readonly WatchEvent['event'][] = ['created', 'changed', 'deleted', 'moved-from', 'moved-to', 'attributes', 'overflow', 'gone'];
