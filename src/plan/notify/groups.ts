import type { SyscallName } from '../seccomp/architecture.ts';

/** Kinds of system calls that a supervisor can be asked about. A box pays only for those that some rule needs. */
export type NotifyGroup = 'open' | 'change' | 'socket' | 'signal';

/**
 * The system calls of each group. `openat2` and `io_uring` are answered with ENOSYS by the reviewed list, so that no
 * file is opened past these. Calls on descriptors (`ftruncate`, `fchmod`) are not here: a descriptor is judged when it
 * is opened.
 */
export const notifyGroups: Readonly<Record<NotifyGroup, readonly SyscallName[]>> = {
  open: ['open', 'openat', 'creat'],
  change: [
    'mkdir', 'mkdirat', 'mknod', 'mknodat', 'unlink', 'unlinkat', 'rmdir', 'rename', 'renameat', 'renameat2', 'link', 'linkat', 'symlink', 'symlinkat',
    'truncate', 'chmod', 'fchmodat', 'fchmodat2', 'chown', 'lchown', 'fchownat', 'utime', 'utimes', 'futimesat', 'utimensat',
    'setxattr', 'lsetxattr', 'removexattr', 'lremovexattr',
  ],
  // Plain sends on a connected socket have no address: the filter lets `sendto` with a null fifth argument pass unasked.
  socket: ['connect', 'bind', 'sendto', 'sendmsg', 'sendmmsg'],
  signal: ['kill', 'tkill', 'tgkill', 'rt_sigqueueinfo', 'rt_tgsigqueueinfo', 'pidfd_send_signal'],
};
