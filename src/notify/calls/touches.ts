import type { FileAccess } from '../../policy/request.ts';
import type { FileTouch } from '../judge/judge-files.ts';
import { openFlags } from '../perform/open-flags.ts';
import type { FileCall } from './file-calls.ts';

/** The real paths of a call, in the order in which it names them. */
export interface CallPaths {
  /** The subject of most calls; the old name of a rename or a link. */
  readonly first: string;
  /** The new name. */
  readonly second?: string;
  /** Whether a path already exists. */
  readonly exists: (path: string) => boolean;
}

const exchangeFlag = 2;

/** The operation of a call on each path, in the policy's terms. */
export function touchesOf(call: FileCall, { first, second = first, exists }: CallPaths): readonly FileTouch[] {
  const touch = (operation: FileAccess, path = first): FileTouch => ({ operation, path });
  switch (call.kind) {
    case 'open':
      return openTouches(call.flags, () => exists(first)).map((operation) => touch(operation));
    case 'make-directory':
    case 'make-node':
    case 'symlink':
      return [touch('create')];
    case 'remove':
      return [touch('delete')];
    case 'rename': {
      const arrival = touch(exists(second) ? 'write' : 'create', second);
      return (call.flags & exchangeFlag) === 0
        ? [touch('delete'), arrival]
        : [touch('delete'), arrival, touch('delete', second), touch('write')];
    }
    case 'link':
      return [touch('create', second)];
    case 'truncate':
    case 'mode':
    case 'owner':
    case 'times':
    case 'set-attribute':
    case 'remove-attribute':
      return [touch('write')];
  }
}

function openTouches(flags: number, exists: () => boolean): readonly FileAccess[] {
  const mode = flags & openFlags.accessMode;
  const reads = mode !== openFlags.writeOnly;
  const writes = mode !== 0 || (flags & openFlags.truncate) !== 0;
  if ((flags & openFlags.create) !== 0 && !exists()) return ['create'];
  return [...(reads ? (['read'] as const) : []), ...(writes ? (['write'] as const) : [])];
}
