import { closeSync } from 'node:fs';
import { kernelCall, takeDescriptor } from '../../kernel/index.ts';
import type { NamedPath } from '../calls/file-calls.ts';
import { int, type Notification } from '../listener/notification.ts';
import { onPath } from '../perform/side.ts';
import { processOf } from '../view/caller.ts';
import { errno, errnoOf, type Whole } from './whole.ts';

/** `inotify_add_watch`: Landlock lets everything be watched, and who watches a directory hears the names of what is in it. */
export interface WatchCall {
  readonly at: NamedPath;
  readonly descriptor: number;
  readonly mask: number;
}

const workingDirectory = -100;
/** `IN_DONT_FOLLOW`. */
const noFollow = 0x0200_0000;

export function watchCall([descriptor, address = 0n, mask]: readonly bigint[]): WatchCall {
  const bits = int(mask);
  return { at: { directory: workingDirectory, address, end: (bits & noFollow) === 0 ? 'follow' : 'itself' }, descriptor: int(descriptor), mask: bits };
}

/** Watches, for the caller, the very thing that was judged. `real` is where its words lead. Throws `KernelError`. */
export function addWatch({ law, supervision: { listener, box } }: Whole, { id, thread }: Notification, { descriptor, mask, real }: Omit<WatchCall, 'at'> & { readonly real: string }): void {
  const ruling = law.rule('read', real);
  if (ruling.kind !== 'granted') return listener.answer(id, -(ruling.kind === 'refused' ? errnoOf(ruling.how, 'read') : errno.accessDenied));
  const copy = takeDescriptor(processOf(thread), descriptor);
  try {
    onPath(box, real, (inode) => listener.answer(id, kernelCall('inotify_add_watch', copy, `/proc/self/fd/${inode}`, mask & ~noFollow)));
  } finally {
    closeSync(copy);
  }
}
