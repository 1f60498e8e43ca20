import { closeSync, fstatSync } from 'node:fs';
import { atFdcwd, kernelCall, KernelError, type SyscallName, takeDescriptor } from '../../kernel/index.ts';
import type { FileAccess } from '../../policy/request.ts';
import type { NamedPath } from '../calls/file-calls.ts';
import { int, type SeccompNotification } from '../listener/notification.ts';
import { linkText, processOfThread } from '../view/caller.ts';
import { errno, errnoOf, tell, type Whole } from './whole.ts';

/** A call that changes the file of a descriptor, however it was opened. Addresses are in the caller's memory. */
export type DescriptorCall =
  | { readonly kind: 'mode'; readonly descriptor: number; readonly mode: number }
  | { readonly kind: 'owner'; readonly descriptor: number; readonly uid: number; readonly gid: number }
  | {
      readonly kind: 'times';
      readonly descriptor: number;
      readonly address: bigint;
      readonly form: 'microseconds' | 'nanoseconds';
    }
  | {
      readonly kind: 'set-attribute';
      readonly descriptor: number;
      readonly name: bigint;
      readonly value: bigint;
      readonly size: number;
      readonly flags: number;
    }
  | { readonly kind: 'remove-attribute'; readonly descriptor: number; readonly name: bigint };

type Decode = (args: readonly bigint[]) => DescriptorCall;

/** Calls that also have a form with a path count here only in the form without one. */
export const descriptorCalls: Readonly<Partial<Record<SyscallName, Decode>>> = {
  fchmod: ([descriptor, mode]) => ({ kind: 'mode', descriptor: int(descriptor), mode: int(mode) }),
  fchmodat2: ([descriptor, , mode]) => ({ kind: 'mode', descriptor: int(descriptor), mode: int(mode) }),
  fchown: ([descriptor, uid, gid]) => ({ kind: 'owner', descriptor: int(descriptor), uid: int(uid), gid: int(gid) }),
  fchownat: ([descriptor, , uid, gid]) => ({
    kind: 'owner',
    descriptor: int(descriptor),
    uid: int(uid),
    gid: int(gid),
  }),
  futimesat: ([descriptor, , times]) => ({
    kind: 'times',
    descriptor: int(descriptor),
    address: times ?? 0n,
    form: 'microseconds',
  }),
  utimensat: ([descriptor, , times]) => ({
    kind: 'times',
    descriptor: int(descriptor),
    address: times ?? 0n,
    form: 'nanoseconds',
  }),
  fsetxattr: ([descriptor, name, value, size, flags]) => ({
    kind: 'set-attribute',
    descriptor: int(descriptor),
    name: name ?? 0n,
    value: value ?? 0n,
    size: int(size),
    flags: int(flags),
  }),
  fremovexattr: ([descriptor, name]) => ({ kind: 'remove-attribute', descriptor: int(descriptor), name: name ?? 0n }),
};

/**
 * Performs the change on a copy of the judged descriptor, because another thread may replace the original. Throws
 * `KernelError`.
 */
export function changeDescriptor(whole: Whole, notification: SeccompNotification, call: DescriptorCall): void {
  const {
    supervision: { listener },
  } = whole;
  const copy = takeDescriptor(processOfThread(notification.thread), call.descriptor);
  try {
    const refusal = refusalOf(whole, copy);
    if (refusal !== undefined) return listener.answer(notification.id, -refusal);
    change(whole, { copy, thread: notification.thread }, call);
    listener.answer(notification.id, 0);
  } finally {
    closeSync(copy);
  }
}

/** Pipes, sockets and files in memory belong to the box. */
function refusalOf(whole: Whole, copy: number): number | undefined {
  const path = linkText(`/proc/self/fd/${copy}`) ?? '';
  const { dev, ino, nlink } = fstatSync(copy, { bigint: true });
  if (!path.startsWith('/') || path.startsWith('/memfd:') || nlink === 0n) return undefined;
  const otherwise = whole.others.refuses(dev, ino);
  if (otherwise !== undefined) return errnoOf(otherwise, 'write');
  const ruling = whole.law.rule('write', path);
  if (ruling.kind === 'granted') return undefined;
  if (ruling.kind !== 'refused') return errno.accessDenied;
  tell(whole, 'write', path);
  return errnoOf(ruling.how, 'write');
}

interface Target {
  readonly copy: number;
  readonly thread: number;
}

const permissionBits = 0o777 | 0o3000;

function change(whole: Whole, { copy, thread }: Target, call: DescriptorCall): void {
  const name = (address: bigint): Buffer => textOf(whole, thread, address);
  const link = `/proc/self/fd/${copy}`;
  switch (call.kind) {
    case 'mode':
      return void kernelCall('fchmodat', 0, link, call.mode & permissionBits);
    case 'owner':
      return void kernelCall('fchownat', 0, link, call.uid, call.gid, 0);
    case 'times':
      return void kernelCall('utimensat', 0, link, call.address === 0n ? 0 : timesOf(whole, thread, call), 0);
    case 'set-attribute':
      return void kernelCall(
        'setxattr',
        link,
        name(call.name),
        call.size === 0 ? 0 : bytesOf(whole, thread, { address: call.value, length: call.size }),
        call.size,
        call.flags,
      );
    case 'remove-attribute':
      return void kernelCall('removexattr', link, name(call.name));
  }
}

function textOf({ supervision: { memory } }: Whole, thread: number, address: bigint): Buffer {
  const text = memory.path(thread, address);
  if (text === undefined) throw new KernelError('process_vm_readv', errno.badAddress);
  return Buffer.from(`${text}\0`, 'latin1');
}

interface Piece {
  readonly address: bigint;
  readonly length: number;
}

function bytesOf({ supervision: { memory } }: Whole, thread: number, { address, length }: Piece): Buffer {
  const bytes = memory.bytes(thread, address, length);
  if (bytes === undefined) throw new KernelError('process_vm_readv', errno.badAddress);
  return bytes;
}

function timesOf(whole: Whole, thread: number, { address, form }: Extract<DescriptorCall, { kind: 'times' }>): Buffer {
  const times = bytesOf(whole, thread, { address, length: 32 });
  if (form === 'microseconds') for (const at of [8, 24]) times.writeBigInt64LE(times.readBigInt64LE(at) * 1000n, at);
  return times;
}

/** A call that asks whether a file may be used. */
export interface AccessCall {
  readonly at: NamedPath;
  /** `unistd.h`: `R_OK` and so on. 0 asks whether the file exists. */
  readonly mode: number;
}

type Args = readonly bigint[];

const symlinkNoFollow = 0x100;
const emptyPath = 0x1000;
const path = (directory: bigint | undefined, address: bigint | undefined, flags = 0): NamedPath => ({
  directory: int(directory),
  address: address ?? 0n,
  end: (flags & symlinkNoFollow) === 0 ? 'follow' : 'itself',
});

/** Undefined for a call about a descriptor. */
export const accessCalls: Readonly<Partial<Record<SyscallName, (args: Args) => AccessCall | undefined>>> = {
  access: ([address, mode]) => ({ at: { directory: atFdcwd, address: address ?? 0n, end: 'follow' }, mode: int(mode) }),
  faccessat: ([directory, address, mode]) => ({ at: path(directory, address), mode: int(mode) }),
  faccessat2: ([directory, address, mode, flags]) =>
    (int(flags) & emptyPath) === 0 ? { at: path(directory, address, int(flags)), mode: int(mode) } : undefined,
};

const meanings: readonly (readonly [number, FileAccess])[] = [
  [4, 'read'],
  [2, 'write'],
  [1, 'execute'],
];

/** Returns the errno for a real path. Undefined if the kernel's answer reveals no more than `stat` would. */
export function accessRefusal({ law }: Whole, mode: number, real: string): number | undefined {
  const asked = meanings.filter(([bit]) => (mode & bit) !== 0).map(([, operation]) => operation);
  for (const operation of asked) {
    const ruling = law.rule(operation, real);
    if (ruling.kind === 'refused') return errnoOf(ruling.how, operation);
  }
  const there = law.rule('read', real);
  return asked.length === 0 && there.kind === 'refused' && there.how === 'absent'
    ? errnoOf('absent', 'read')
    : undefined;
}
