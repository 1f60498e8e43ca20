import type { SeccompOptions } from './filter.ts';
import type { SyscallRule } from './rule.ts';
import { administrationRules } from './rules/administration.ts';
import { fileSyscallRules } from './rules/files.ts';
import { kernelRules } from './rules/kernel.ts';
import { namespaceRules } from './rules/namespaces.ts';
import { openRules } from './rules/open.ts';
import { processRules } from './rules/processes.ts';
import { socketRules } from './rules/sockets.ts';
import { terminalRules } from './rules/terminal.ts';

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
