import { namedPrograms, type Policy } from '../policy/index.ts';
import type { HostFacts } from './facts.ts';
import { isWritable } from './landlock.ts';
import { mountFinder } from './mount-finder.ts';
import type { LandlockPlan, Mount } from './types.ts';

/** What the box may execute, and the rules of `execute`. */
export type ExecutionPlan = Pick<LandlockPlan, 'execution' | 'rules'>;

/**
 * What the kernel alone lets the box execute, where the policy lists all that may run: those programs, their interpreters and
 * loaders; nothing where none of them is there. It is left to the supervisor where a pattern names no file, and where the box
 * could change one of them, for whatever it became would be refused although the policy allows it.
 */
export function planExecutables(policy: Policy, { executables }: HostFacts, mounts: readonly Mount[]): ExecutionPlan {
  if (namedPrograms(policy)?.only === undefined) return anything;
  const shows = mountFinder(mounts);
  const canChange = (path: string): boolean => isWritable(shows(path));
  // A bare name never means what the box could have written.
  const meant = executables.filter(({ program, real }) => program.startsWith('/') || !canChange(real));
  const files = [...new Set(meant.flatMap(({ real, needs }) => [real, ...needs]))];
  return files.some((path) => canChange(path)) ? anything : { execution: 'listed', rules: files.sort().map((path) => ({ path, access: 'execute' })) };
}

const anything: ExecutionPlan = { execution: 'any', rules: [] };
