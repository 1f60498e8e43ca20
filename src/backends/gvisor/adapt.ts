import { HoldfastError } from '../../errors/index.ts';
import type { Guarantee, Plan } from '../../plan/index.ts';

interface Problem {
  readonly what: string;
  readonly guarantee: Guarantee;
}

/** The plan as it is. Throws `HF_GUARANTEE_MISSING` for what happens inside the second kernel only, where nobody outside sees it. */
export function adaptPlan(plan: Plan): Plan {
  const problem = unseen(plan);
  if (problem === undefined) return plan;
  throw new HoldfastError('HF_GUARANTEE_MISSING', `the gvisor backend cannot enforce ${problem.what} (guarantee: ${problem.guarantee})`, {
    remedy: 'use --backend native, or take that out of the policy',
    details: { missing: [problem.guarantee] },
  });
}

function unseen({ landlock, programs, notify }: Plan): Problem | undefined {
  const noticed = programs.find(({ held }) => held === 'notification');
  if (landlock.execution === 'listed') return { what: 'a list of programs, because its kernel starts them by itself', guarantee: 'syscalls' };
  if (noticed !== undefined) return { what: `that ${noticed.program} is refused, because it shares its file with other programs`, guarantee: 'syscalls' };
  if (notify.kind !== 'supervisor') return undefined;
  const group = notify.groups.find((name) => name === 'signals' || name === 'sockets') ?? notify.groups[0] ?? 'executions';
  return { what: `rules that look at system calls of the command (${group}), because its own kernel answers them`, guarantee: group === 'signals' ? 'signals' : group === 'sockets' ? 'unix-sockets' : 'fs.write' };
}
