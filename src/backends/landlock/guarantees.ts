import type { BackendFacts, GuaranteeVector } from '../backend.ts';
import { namespaceGuarantees } from '../guarantees.ts';

/** What a kernel with this Landlock ABI holds. `docs/landlock.md` names every gap. */
export function landlockGuarantees(facts: BackendFacts, abi: number): GuaranteeVector {
  const { 'limits.memory': memory, 'limits.cpu': cpu } = namespaceGuarantees(facts);
  return {
    // Names, sizes and owners can be seen everywhere: Landlock refuses what is opened, not what is looked up.
    'fs.read': abi >= 1 ? 'partial' : 'none',
    // From 3 on truncation is a right of its own; below, the supervisor alone refuses it.
    'fs.write': abi >= 3 ? 'kernel' : abi >= 1 ? 'partial' : 'none',
    'fs.deny-in-allow': abi >= 1 ? 'partial' : 'none',
    'fs.stage': 'none',
    'net.closed': 'kernel',
    'net.names': abi >= 4 ? 'kernel' : 'none',
    pid: 'partial',
    ipc: 'kernel',
    'unix-sockets': 'kernel',
    'abstract-sockets': abi >= 6 ? 'kernel' : 'partial',
    signals: abi >= 6 ? 'kernel' : 'none',
    syscalls: 'kernel',
    'limits.memory': memory,
    // Without a user namespace all processes of the user are counted together, and uid 0 is not.
    'limits.processes': countsProcesses(facts) ? 'kernel' : 'partial',
    'limits.cpu': cpu,
    'limits.disk': 'partial',
    'kernel.separate': 'none',
    'hardware.separate': 'none',
  };
}

function countsProcesses({ cgroups }: BackendFacts): boolean {
  return cgroups.kind === 'v2' ? cgroups.controllers.includes('pids') : cgroups.kind === 'v1' && cgroups.directories.pids !== undefined;
}
