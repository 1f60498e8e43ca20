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

/**
 * Calls that administer the machine. Without capabilities the kernel refuses them anyway. These rules still apply if
 * the kernel has a defect, or if root started the box.
 */
export const administrationRules: readonly SyscallRule[] = [
  {
    syscalls: ['kexec_load', 'kexec_file_load', 'init_module', 'finit_module', 'delete_module'],
    action: notPermitted,
    reason: 'replaces or extends the running kernel',
  },
  {
    syscalls: ['reboot', 'swapon', 'swapoff', 'acct', 'quotactl', 'quotactl_fd', 'vhangup'],
    action: notPermitted,
    reason: 'administers the machine',
  },
  {
    syscalls: ['settimeofday', 'clock_settime', 'clock_adjtime', 'adjtimex'],
    action: notPermitted,
    reason: 'sets the clock of the machine, which certificates and logs rely on',
  },
  {
    syscalls: ['sethostname', 'setdomainname'],
    action: notPermitted,
    reason: 'the name of the machine is not the command’s to change',
  },
  {
    syscalls: ['syslog'],
    action: notPermitted,
    reason: 'the kernel log holds addresses and the doings of other users',
  },
  {
    syscalls: ['iopl', 'ioperm'],
    action: notPermitted,
    reason: 'gives direct access to hardware ports',
  },
  {
    syscalls: ['open_by_handle_at'],
    action: notPermitted,
    reason: 'opens a file by its number, past every path rule and mount (the “Shocker” container escape)',
  },
  {
    syscalls: ['name_to_handle_at'],
    action: notImplemented,
    reason: 'gives the handle that open_by_handle_at opens; systemd and iproute2 go on without it',
  },
  {
    syscalls: ['prctl'],
    when: [{ kind: 'one-of', argument: 0, called: 'option', values: { PR_SET_SECUREBITS: 28, PR_SET_MM: 35 } }],
    action: notPermitted,
    reason: 'PR_SET_MM forges /proc/self/exe, which identifies processes; securebits bring root’s powers back',
  },
];
