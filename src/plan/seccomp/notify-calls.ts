import type { NotifyGroup } from '../types.ts';
import type { SyscallName } from './architecture.ts';

/** A call that stops for the listener: always, or when an argument says that it is of interest. */
export interface Notified {
  readonly syscall: SyscallName;
  readonly when?: { readonly argument: number; readonly bits: number } | { readonly argument: number; readonly pointer: 'given' };
}

/** `asm-generic/fcntl.h`; the same numbers on x86-64 and arm64. */
const O_CREAT = 0o100;
const O_TRUNC = 0o1000;

const always = (...names: readonly SyscallName[]): readonly Notified[] => names.map((syscall) => ({ syscall }));
const opens = (bits: number): readonly Notified[] => [
  { syscall: 'openat', when: { argument: 2, bits } },
  { syscall: 'open', when: { argument: 1, bits } },
  { syscall: 'creat' },
];

/** `openat2` and `io_uring` are in no group: the box does not have them. */
export const notifyCalls: Readonly<Record<NotifyGroup, readonly Notified[]>> = {
  opens: always('openat', 'open', 'creat'),
  creations: [...opens(O_CREAT), ...always('mkdir', 'mkdirat', 'mknod', 'mknodat', 'rename', 'renameat', 'renameat2', 'link', 'linkat', 'symlink', 'symlinkat')],
  deletions: always('unlink', 'unlinkat', 'rmdir'),
  renames: always('rename', 'renameat', 'renameat2'),
  truncations: [...opens(O_TRUNC), ...always('truncate')],
  metadata: always('chmod', 'fchmodat', 'fchmodat2', 'chown', 'lchown', 'fchownat', 'utime', 'utimes', 'futimesat', 'utimensat', 'setxattr', 'lsetxattr', 'removexattr', 'lremovexattr'),
  // A socket that is connected already takes no address: what it may reach has been judged.
  sockets: [...always('connect', 'bind', 'sendmsg', 'sendmmsg'), { syscall: 'sendto', when: { argument: 4, pointer: 'given' } }],
  signals: always('kill', 'tkill', 'tgkill', 'rt_sigqueueinfo', 'rt_tgsigqueueinfo', 'pidfd_send_signal'),
  executions: always('execve', 'execveat'),
  'memory-files': always('memfd_create'),
  // A descriptor for reading is enough to change what a file's owner may change.
  descriptors: always('fchmod', 'fchown', 'fsetxattr', 'fremovexattr'),
  // What was never bound gets an address on every network of the machine.
  listens: always('listen'),
  accesses: always('access', 'faccessat', 'faccessat2', 'inotify_add_watch'),
};

/** All of them, once. */
export function notifiedNames(): readonly SyscallName[] {
  return [...new Set(Object.values(notifyCalls).flatMap((calls) => calls.map(({ syscall }) => syscall)))];
}
