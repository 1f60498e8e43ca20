import type { SeccompOptions } from './filter.ts';
import { allow, type SyscallRule } from './rule.ts';
import { fileSyscallRules } from './rules/files.ts';
import { administrationRules, kernelRules } from './rules/kernel.ts';
import { namespaceRules } from './rules/namespaces.ts';
import { processRules, terminalRules } from './rules/processes.ts';
import { socketRules } from './rules/sockets.ts';

/** Calls that other sandboxes close, or whose absence a reader would notice, with the reason why they stay open. */
const openRules: readonly SyscallRule[] = [
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

/**
 * The reviewed deny-list. Other known system calls are open, because developer tools use most of the kernel. A call
 * that is missing from the number tables, such as one of a newer kernel, stays closed until it has been reviewed.
 */
export const denylist: readonly SyscallRule[] = [
  ...kernelRules,
  ...administrationRules,
  ...namespaceRules,
  ...processRules,
  ...terminalRules,
  ...socketRules,
  ...fileSyscallRules,
  ...openRules,
];

/** Returns the rules for a policy that denies or allows tracing, or for a command that confines another one. */
export function rulesFor({
  ptrace,
  nesting = 'none',
}: Pick<SeccompOptions, 'ptrace' | 'nesting'>): readonly SyscallRule[] {
  return denylist.filter(
    ({ lifted }) =>
      !(lifted === 'by-ptrace' && ptrace === 'allow') && !(lifted === 'by-nesting' && nesting === 'runtime'),
  );
}
