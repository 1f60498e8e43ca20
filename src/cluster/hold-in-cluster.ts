import { type BackendName, type GuaranteeVector, namespaceGuarantees } from '../backends/backend.ts';
import { type BackendCandidate, chooseCandidate } from '../backends/lattice/choose.ts';
import { demandOf, lacking } from '../backends/lattice/vectors.ts';
import { HoldfastError } from '../errors/index.ts';
import type { Plan } from '../plan/types.ts';

/** The user of the command's container. No process in it can become another user. */
export const commandUser = 1000;

/** The launcher's namespaces, in a container whose own control group holds memory and CPU. */
const inContainer: GuaranteeVector = namespaceGuarantees({
  uid: commandUser,
  cgroups: { kind: 'v2', directory: '/sys/fs/cgroup', controllers: ['memory', 'cpu'] },
});

/** gVisor lacks both Landlock and the system calls that the guard listens with. */
const underGvisor: GuaranteeVector = {
  ...inContainer,
  'fs.deny-in-allow': 'none',
  syscalls: 'partial',
  'kernel.separate': 'kernel',
};
const underKata: GuaranteeVector = { ...inContainer, 'kernel.separate': 'kernel', 'hardware.separate': 'kernel' };

const candidates: readonly BackendCandidate[] = [
  { name: 'native', vector: inContainer },
  { name: 'gvisor', vector: underGvisor },
  { name: 'microvm', vector: underKata },
];

/** Runtime classes as clusters usually name them. */
const classes: Partial<Record<BackendName, string>> = { gvisor: 'gvisor', microvm: 'kata' };

/**
 * Returns the runtime class that holds the guarantees of a plan, or undefined for the cluster's default. Throws
 * `HF_GUARANTEE_MISSING` if no class does, or the named one does not.
 */
export function runtimeClassFor(
  plan: Pick<Plan, 'requires' | 'expects'>,
  named: string | undefined,
): string | undefined {
  const considered = named === undefined ? candidates : candidates.filter(({ name }) => name === runtimeOf(named));
  const choice = chooseCandidate(considered, demandOf(plan));
  if (choice.kind === 'chosen') return named ?? classes[choice.name];
  // `auto` omits a slow candidate unless a separate kernel is demanded. Such a candidate may still be enough.
  const looked = considered.map(({ name, vector }) => ({ name, missing: lacking(vector, demandOf(plan)) }));
  const enough = looked.find(({ missing }) => missing.length === 0);
  if (enough !== undefined) return named ?? classes[enough.name];
  const missing = [...new Set(looked.flatMap(({ missing: each }) => each))];
  throw new HoldfastError(
    'HF_GUARANTEE_MISSING',
    `${named === undefined ? 'a cluster' : `the runtime class ${named}`} cannot hold ${missing.join(', ')}`,
    {
      remedy: 'leave --runtime-class out, or name a class of Kata Containers, or require less in the policy',
      details: { missing },
    },
  );
}

/** An unknown class adds no guarantee. */
function runtimeOf(runtimeClass: string): BackendName {
  if (/^kata(?:-|$)/u.test(runtimeClass)) return 'microvm';
  return /^(?:gvisor|runsc)(?:-|$)/u.test(runtimeClass) ? 'gvisor' : 'native';
}
