import { allow, type SyscallRule } from '../rule.ts';

/** Calls that other sandboxes close, or whose absence a reader would notice, with the reason why they stay open. */
export const openRules: readonly SyscallRule[] = [
  {
    syscalls: ['seccomp', 'landlock_create_ruleset', 'landlock_add_rule', 'landlock_restrict_self'],
    action: allow,
    reason:
      'a process can only restrict itself further: the strictest answer of all filters counts, ' +
      'and the kernel refuses a second listener below ours (EBUSY)',
  },
  {
    syscalls: ['mbind', 'set_mempolicy', 'get_mempolicy', 'set_mempolicy_home_node'],
    action: allow,
    reason: 'acts on the caller’s own memory; the JVM and numactl use it',
  },
  {
    syscalls: ['statmount', 'listmount'],
    action: allow,
    reason: 'shows what /proc/self/mountinfo shows',
  },
  {
    syscalls: ['splice', 'tee'],
    action: allow,
    reason: 'works on the caller’s own pipes; core utilities use it, and no descriptor of the host is there to aim at',
  },
  {
    syscalls: ['memfd_create', 'execveat'],
    action: allow,
    reason: 'runs nothing that a file in the workspace could not run; language runtimes use it',
  },
  {
    syscalls: ['pidfd_open', 'pidfd_send_signal'],
    action: allow,
    reason: 'sees only the processes of the box',
  },
  {
    syscalls: ['uretprobe', 'uprobe'],
    action: allow,
    reason: 'the host’s tracer puts it into traced programs; a call from elsewhere gets a signal or an error',
  },
];
