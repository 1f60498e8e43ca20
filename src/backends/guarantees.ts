import type { Guarantee, Plan } from '../plan/index.ts';
import type { BackendFacts, GuaranteeVector } from './backend.ts';

/**
 * What namespaces, mounts, Landlock and seccomp together hold, in both backends that use the launcher. Staging needs
 * mounts of the launcher's own.
 */
export function namespaceGuarantees(facts: BackendFacts, staging: 'kernel' | 'none' = 'none'): GuaranteeVector {
  const controllers =
    facts.cgroups.kind === 'none'
      ? []
      : facts.cgroups.kind === 'v2'
        ? facts.cgroups.controllers
        : Object.keys(facts.cgroups.directories);
  const limited = (controller: string) => (controllers.includes(controller) ? 'kernel' : 'partial');
  return {
    'fs.read': 'kernel',
    'fs.write': 'kernel',
    'fs.deny-in-allow': 'kernel',
    'fs.stage': staging,
    'net.closed': 'kernel',
    'net.names': 'kernel',
    pid: 'kernel',
    ipc: 'kernel',
    'unix-sockets': 'kernel',
    'abstract-sockets': 'kernel',
    signals: 'kernel',
    syscalls: 'kernel',
    'limits.memory': limited('memory'),
    // RLIMIT_NPROC counts per user namespace since Linux 5.14, but never stops uid 0.
    'limits.processes': facts.uid === 0 ? limited('pids') : 'kernel',
    'limits.cpu': limited('cpu'),
    // Private memory is bounded; a writable workspace of the host is not.
    'limits.disk': 'partial',
    'kernel.separate': 'none',
    'hardware.separate': 'none',
  };
}

/** What a plan demands and a backend does not hold, in the plan's order. */
export function missingGuarantees(
  plan: Pick<Plan, 'requires' | 'expects'>,
  vector: GuaranteeVector,
): readonly Guarantee[] {
  return [
    ...plan.requires.filter((guarantee) => vector[guarantee] !== 'kernel'),
    ...(plan.expects ?? []).filter((guarantee) => vector[guarantee] === 'none'),
  ];
}

/** What a person has accepted that a backend holds with gaps. */
export function partlyHeld({ expects = [] }: Pick<Plan, 'expects'>, vector: GuaranteeVector): readonly Guarantee[] {
  return expects.filter((guarantee) => vector[guarantee] === 'partial');
}
