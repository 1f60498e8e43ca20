import { notImplemented, notPermitted, type SyscallRule } from '../rule.ts';

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
