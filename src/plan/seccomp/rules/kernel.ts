import { notImplemented, notPermitted, type SyscallRule } from '../rule.ts';

/** Calls that reach kernel subsystems with a record of privilege escalations. */
export const kernelRules: readonly SyscallRule[] = [
  {
    syscalls: ['io_uring_setup', 'io_uring_enter', 'io_uring_register'],
    action: notImplemented,
    reason: 'a ring opens files and sockets without system calls, so no rule of this list would see them',
  },
  {
    syscalls: ['bpf'],
    action: notPermitted,
    reason: 'loads programs into the kernel; the verifier has been a steady source of escapes',
  },
  {
    syscalls: ['perf_event_open'],
    action: notPermitted,
    reason: 'samples the kernel and other processes; large attack surface',
  },
  {
    syscalls: ['userfaultfd'],
    action: notPermitted,
    reason: 'stops the kernel in the middle of a copy, which makes its races winnable',
  },
  {
    syscalls: ['add_key', 'request_key', 'keyctl'],
    action: notPermitted,
    reason: 'kernel keyrings belong to the user and not to a namespace: Kerberos tickets and disk keys of the host',
  },
  {
    syscalls: ['fanotify_init'],
    action: notPermitted,
    reason: 'watches file-system events beyond the watched directory; file watchers use inotify',
  },
  {
    syscalls: ['vmsplice'],
    action: notImplemented,
    reason:
      'the content of a pipe can still change, and its pages are pinned past every limit; `yes` and FUSE daemons go on without it',
  },
  {
    syscalls: ['memfd_secret'],
    action: notImplemented,
    reason: 'takes pages out of the kernel map for good and splits it; nothing needs it',
  },
  {
    syscalls: ['modify_ldt'],
    action: notImplemented,
    reason: '16-bit segments: old, rarely tested code with a record of escalations',
  },
  {
    syscalls: ['uselib', 'ustat', 'sysfs', '_sysctl', 'nfsservctl', 'lookup_dcookie', 'create_module', 'query_module'],
    action: notImplemented,
    reason: 'obsolete; newer kernels have removed or emptied it',
  },
];
