import type { SyscallName } from '../../kernel/index.ts';
import { atFdcwd } from '../../kernel/index.ts';
import { int } from '../listener/notification.ts';
import { openFlags } from '../perform/open-flags.ts';

/** A path as a caller names it: bytes in its memory, and where they start. */
export interface NamedPath {
  readonly directory: number;
  readonly address: bigint;
  /** Whether a symlink at the end is followed. */
  readonly end: 'follow' | 'itself';
}

/** A parsed call about files. Numbers are as in registers. Addresses are in the caller's memory. */
export type FileCall =
  | { readonly kind: 'open'; readonly at: NamedPath; readonly flags: number; readonly mode: number }
  | { readonly kind: 'make-directory'; readonly at: NamedPath; readonly mode: number }
  | { readonly kind: 'make-node'; readonly at: NamedPath; readonly mode: number }
  | { readonly kind: 'remove'; readonly at: NamedPath; readonly flags: number }
  | { readonly kind: 'rename'; readonly from: NamedPath; readonly to: NamedPath; readonly flags: number }
  | { readonly kind: 'link'; readonly from: NamedPath; readonly to: NamedPath }
  | { readonly kind: 'symlink'; readonly text: bigint; readonly at: NamedPath }
  | { readonly kind: 'truncate'; readonly at: NamedPath; readonly length: bigint }
  | { readonly kind: 'mode'; readonly at: NamedPath; readonly mode: number }
  | { readonly kind: 'owner'; readonly at: NamedPath; readonly uid: number; readonly gid: number }
  | {
      readonly kind: 'times';
      readonly at: NamedPath;
      readonly address: bigint;
      readonly form: 'seconds' | 'microseconds' | 'nanoseconds';
    }
  | {
      readonly kind: 'set-attribute';
      readonly at: NamedPath;
      readonly name: bigint;
      readonly value: bigint;
      readonly size: number;
      readonly flags: number;
    }
  | { readonly kind: 'remove-attribute'; readonly at: NamedPath; readonly name: bigint };

type Args = readonly bigint[];

/** `linux/fcntl.h`: `AT_*`. */
const removeDirectory = 0x200;
const symlinkNoFollow = 0x100;
const symlinkFollow = 0x400;
const emptyPath = 0x1000;
export const atRemoveDirectory = removeDirectory;

const here = (address: bigint | undefined, end: NamedPath['end'] = 'follow'): NamedPath => ({
  directory: atFdcwd,
  address: address ?? 0n,
  end,
});
const at = (
  directory: bigint | undefined,
  address: bigint | undefined,
  end: NamedPath['end'] = 'follow',
): NamedPath => ({ directory: int(directory), address: address ?? 0n, end });
const unlessFlag = (flags: bigint | undefined): NamedPath['end'] =>
  (int(flags) & symlinkNoFollow) === 0 ? 'follow' : 'itself';

function open(path: (end: NamedPath['end']) => NamedPath, flags: number, mode: bigint | undefined): FileCall {
  const atItself =
    (flags & openFlags.noFollow) !== 0 || ((flags & openFlags.create) !== 0 && (flags & openFlags.exclusive) !== 0);
  return { kind: 'open', at: path(atItself ? 'itself' : 'follow'), flags, mode: int(mode) };
}

/** The decoder of each call. Undefined for forms that name no path. */
export const fileCalls: Readonly<Partial<Record<SyscallName, (args: Args) => FileCall | undefined>>> = {
  open: ([path, flags, mode]) => open((end) => here(path, end), int(flags), mode),
  openat: ([directory, path, flags, mode]) => open((end) => at(directory, path, end), int(flags), mode),
  creat: ([path, mode]) =>
    open((end) => here(path, end), openFlags.create | openFlags.writeOnly | openFlags.truncate, mode),
  mkdir: ([path, mode]) => ({ kind: 'make-directory', at: here(path, 'itself'), mode: int(mode) }),
  mkdirat: ([directory, path, mode]) => ({
    kind: 'make-directory',
    at: at(directory, path, 'itself'),
    mode: int(mode),
  }),
  mknod: ([path, mode]) => ({ kind: 'make-node', at: here(path, 'itself'), mode: int(mode) }),
  mknodat: ([directory, path, mode]) => ({ kind: 'make-node', at: at(directory, path, 'itself'), mode: int(mode) }),
  unlink: ([path]) => ({ kind: 'remove', at: here(path, 'itself'), flags: 0 }),
  unlinkat: ([directory, path, flags]) => ({ kind: 'remove', at: at(directory, path, 'itself'), flags: int(flags) }),
  rmdir: ([path]) => ({ kind: 'remove', at: here(path, 'itself'), flags: removeDirectory }),
  rename: ([from, to]) => ({ kind: 'rename', from: here(from, 'itself'), to: here(to, 'itself'), flags: 0 }),
  renameat: ([fromDirectory, from, toDirectory, to]) => ({
    kind: 'rename',
    from: at(fromDirectory, from, 'itself'),
    to: at(toDirectory, to, 'itself'),
    flags: 0,
  }),
  renameat2: ([fromDirectory, from, toDirectory, to, flags]) => ({
    kind: 'rename',
    from: at(fromDirectory, from, 'itself'),
    to: at(toDirectory, to, 'itself'),
    flags: int(flags),
  }),
  link: ([from, to]) => ({ kind: 'link', from: here(from, 'itself'), to: here(to, 'itself') }),
  linkat: ([fromDirectory, from, toDirectory, to, flags]) => ({
    kind: 'link',
    from: at(fromDirectory, from, (int(flags) & symlinkFollow) === 0 ? 'itself' : 'follow'),
    to: at(toDirectory, to, 'itself'),
  }),
  symlink: ([text, path]) => ({ kind: 'symlink', text: text ?? 0n, at: here(path, 'itself') }),
  symlinkat: ([text, directory, path]) => ({ kind: 'symlink', text: text ?? 0n, at: at(directory, path, 'itself') }),
  truncate: ([path, length]) => ({ kind: 'truncate', at: here(path), length: BigInt.asIntN(64, length ?? 0n) }),
  chmod: ([path, mode]) => ({ kind: 'mode', at: here(path), mode: int(mode) }),
  fchmodat: ([directory, path, mode]) => ({ kind: 'mode', at: at(directory, path), mode: int(mode) }),
  fchmodat2: ([directory, path, mode, flags]) =>
    unlessEmpty(flags, { kind: 'mode', at: at(directory, path, unlessFlag(flags)), mode: int(mode) }),
  chown: ([path, uid, gid]) => ({ kind: 'owner', at: here(path), uid: int(uid), gid: int(gid) }),
  lchown: ([path, uid, gid]) => ({ kind: 'owner', at: here(path, 'itself'), uid: int(uid), gid: int(gid) }),
  fchownat: ([directory, path, uid, gid, flags]) =>
    unlessEmpty(flags, { kind: 'owner', at: at(directory, path, unlessFlag(flags)), uid: int(uid), gid: int(gid) }),
  utime: ([path, times]) => ({ kind: 'times', at: here(path), address: times ?? 0n, form: 'seconds' }),
  utimes: ([path, times]) => ({ kind: 'times', at: here(path), address: times ?? 0n, form: 'microseconds' }),
  futimesat: ([directory, path, times]) =>
    unlessNull(path, { kind: 'times', at: at(directory, path), address: times ?? 0n, form: 'microseconds' }),
  utimensat: ([directory, path, times, flags]) =>
    unlessNull(path, {
      kind: 'times',
      at: at(directory, path, unlessFlag(flags)),
      address: times ?? 0n,
      form: 'nanoseconds',
    }),
  setxattr: ([path, name, value, size, flags]) => ({
    kind: 'set-attribute',
    at: here(path),
    name: name ?? 0n,
    value: value ?? 0n,
    size: int(size),
    flags: int(flags),
  }),
  lsetxattr: ([path, name, value, size, flags]) => ({
    kind: 'set-attribute',
    at: here(path, 'itself'),
    name: name ?? 0n,
    value: value ?? 0n,
    size: int(size),
    flags: int(flags),
  }),
  removexattr: ([path, name]) => ({ kind: 'remove-attribute', at: here(path), name: name ?? 0n }),
  lremovexattr: ([path, name]) => ({ kind: 'remove-attribute', at: here(path, 'itself'), name: name ?? 0n }),
};

/** With `AT_EMPTY_PATH` the call is about a descriptor. Its file was judged when it was opened. */
function unlessEmpty(flags: bigint | undefined, call: FileCall): FileCall | undefined {
  return (int(flags) & emptyPath) === 0 ? call : undefined;
}

function unlessNull(path: bigint | undefined, call: FileCall): FileCall | undefined {
  return path === undefined || path === 0n ? undefined : call;
}
