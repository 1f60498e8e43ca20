import { HoldfastError } from '../../errors/index.ts';
import type { NotifyGroup, Plan } from '../../plan/index.ts';
import { memoryOfGuest } from './limits.ts';

/** Calls that processes of the guest make to the guest's kernel, where nobody outside sees them. */
const unseen: readonly NotifyGroup[] = ['executions', 'signals', 'sockets', 'memory-files'];

/** The plan as it is. Throws `HF_GUARANTEE_MISSING` for what could only be enforced inside the guest's kernel. */
export function adaptPlan(plan: Plan): Plan {
  memoryOfGuest(plan.limits);
  const problem = problems.find(({ applies }) => applies(plan));
  if (problem === undefined) return plan;
  throw new HoldfastError(
    'HF_GUARANTEE_MISSING',
    `the microvm backend cannot enforce ${problem.what} (guarantee: ${problem.guarantee})`,
    { remedy: 'use --backend native, or take that out of the policy', details: { missing: [problem.guarantee] } },
  );
}

interface Problem {
  readonly what: string;
  readonly guarantee: 'syscalls' | 'net.names';
  readonly applies: (plan: Plan) => boolean;
}

const problems: readonly Problem[] = [
  {
    what: 'a list of all programs that may run: they start inside the guest',
    guarantee: 'syscalls',
    applies: ({ landlock }) => landlock.execution === 'listed',
  },
  {
    what: 'the refusal of a program that shares its file with others: it starts inside the guest',
    guarantee: 'syscalls',
    applies: ({ programs }) => programs.some(({ held }) => held === 'notification'),
  },
  {
    what: 'rules about programs, signals or sockets that are used inside the guest',
    guarantee: 'syscalls',
    applies: ({ notify }) => notify.kind === 'supervisor' && notify.groups.some((group) => unseen.includes(group)),
  },
  {
    what: 'ports of loopback that are shared with the host: the guest has a loopback of its own',
    guarantee: 'net.names',
    applies: ({ network }) =>
      network.kind !== 'closed' && (network.loopbackPorts.length > 0 || network.forward.length > 0),
  },
];
