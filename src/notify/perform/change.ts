import { kernelCall, KernelError } from '../../kernel/index.ts';
import type { FileCall } from '../calls/file-calls.ts';
import { toBytes } from '../view/byte-text.ts';
import { inDirectory, onPath, type PerformSide } from './side.ts';

/** Texts and structures that a call needs from the caller's memory, read once. */
export interface Fetched {
  readonly text?: Buffer;
  readonly value?: Buffer;
}

export interface ChangeOn {
  readonly side: PerformSide;
  readonly first: string;
  readonly second: string;
  readonly fetched: Fetched;
}

export type ChangeCall = Exclude<FileCall, { kind: 'open' }>;

/** Performs a call on one side. The umask must already be the caller's. Throws `KernelError`. */
export function performChange(call: ChangeCall, { side, first, second, fetched }: ChangeOn): void {
  switch (call.kind) {
    case 'make-directory':
      return inDirectory(
        side,
        first,
        ({ directory, name }) => void kernelCall('mkdirat', directory, bytes(name), call.mode & 0o7777),
      );
    case 'make-node':
      return makeNode(call, side, first);
    case 'remove':
      return inDirectory(
        side,
        first,
        ({ directory, name }) => void kernelCall('unlinkat', directory, bytes(name), call.flags),
      );
    case 'rename':
      return inDirectory(side, first, (from) =>
        inDirectory(
          side,
          second,
          (to) =>
            void kernelCall('renameat2', from.directory, bytes(from.name), to.directory, bytes(to.name), call.flags),
        ),
      );
    case 'link':
      return inDirectory(side, first, (from) =>
        inDirectory(
          side,
          second,
          (to) => void kernelCall('linkat', from.directory, bytes(from.name), to.directory, bytes(to.name), 0),
        ),
      );
    case 'symlink':
      return inDirectory(
        side,
        first,
        ({ directory, name }) => void kernelCall('symlinkat', needed(fetched.text), directory, bytes(name)),
      );
    case 'truncate':
      return onPath(side, first, (descriptor) => void kernelCall('truncate', link(descriptor), call.length));
    case 'mode':
      return onPath(
        side,
        first,
        (descriptor) => void kernelCall('fchmodat', -100, link(descriptor), (call.mode & 0o777) | (call.mode & 0o3000)),
      );
    case 'owner':
      return onPath(
        side,
        first,
        (descriptor) => void kernelCall('fchownat', -100, link(descriptor), call.uid, call.gid, 0),
      );
    case 'times':
      return onPath(
        side,
        first,
        (descriptor) => void kernelCall('utimensat', -100, link(descriptor), fetched.value ?? 0, 0),
      );
    case 'set-attribute':
      return onPath(
        side,
        first,
        (descriptor) =>
          void kernelCall(
            'setxattr',
            link(descriptor),
            needed(fetched.text),
            fetched.value ?? 0,
            fetched.value?.length ?? 0,
            call.flags,
          ),
      );
    case 'remove-attribute':
      return onPath(
        side,
        first,
        (descriptor) => void kernelCall('removexattr', link(descriptor), needed(fetched.text)),
      );
  }
}

const fileTypeBits = 0o170000;
const pipeType = 0o010000;
const socketType = 0o140000;
const plainType = 0o100000;

/** No box gets a device, even from a supervisor that could make one. */
function makeNode({ mode }: Extract<ChangeCall, { kind: 'make-node' }>, side: PerformSide, path: string): void {
  const type = (mode & fileTypeBits) === 0 ? plainType : mode & fileTypeBits;
  if (type !== pipeType && type !== socketType && type !== plainType) throw new KernelError('mknodat', 1);
  inDirectory(
    side,
    path,
    ({ directory, name }) => void kernelCall('mknodat', directory, bytes(name), type | (mode & 0o1777), 0),
  );
}

/** Bytes of the name, with a NUL. */
function bytes(name: string): Buffer {
  return toBytes(`${name}\0`);
}

/** The magic link of a descriptor leads to the very inode that was opened. */
function link(descriptor: number): string {
  return `/proc/self/fd/${descriptor}`;
}

function needed(value: Buffer | undefined): Buffer {
  if (value === undefined) throw new KernelError('process_vm_readv', 14);
  return value;
}
