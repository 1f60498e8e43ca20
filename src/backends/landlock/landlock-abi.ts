import { type BackendFacts, type GuaranteeVector, namespaceGuarantees } from '../backend.ts';

/** Linux versions that introduced each Landlock ABI, newest first (`Documentation/userspace-api/landlock.rst`). */
const versions = [
  { major: 6, minor: 12, abi: 6 },
  { major: 6, minor: 10, abi: 5 },
  { major: 6, minor: 7, abi: 4 },
  { major: 6, minor: 2, abi: 3 },
  { major: 5, minor: 19, abi: 2 },
  { major: 5, minor: 13, abi: 1 },
] as const;

/**
 * Returns the lowest Landlock version of a kernel release, or 0 for none. Holdfast uses nothing newer than 6. The
 * launcher asks the kernel itself, and refuses a kernel with a lower version.
 */
export function promisedAbi(release: string): number {
  const [major = 0, minor = 0] = release.split('.').map((part) => Number.parseInt(part, 10));
  return (
    versions.find((version) => major > version.major || (major === version.major && minor >= version.minor))?.abi ?? 0
  );
}

/** Returns the guarantees that a kernel with this Landlock ABI provides. `docs/landlock.md` names every gap. */
export function landlockGuarantees(facts: BackendFacts, abi: number): GuaranteeVector {
  const { 'limits.memory': memory, 'limits.cpu': cpu } = namespaceGuarantees(facts);
  return {
    // Names, sizes and owners stay visible everywhere: Landlock restricts opening, not looking up.
    'fs.read': abi >= 1 ? 'partial' : 'none',
    // From ABI 3 on, truncation is a separate right. Below that, only the supervisor refuses it.
    'fs.write': abi >= 3 ? 'kernel' : abi >= 1 ? 'partial' : 'none',
    'fs.deny-in-allow': abi >= 1 ? 'partial' : 'none',
    'fs.stage': 'none',
    // A dynamic loader can map any readable file.
    'fs.exec': 'none',
    'net.closed': 'kernel',
    'net.names': abi >= 4 ? 'kernel' : 'none',
    pid: 'partial',
    ipc: 'kernel',
    'unix-sockets': 'kernel',
    'abstract-sockets': abi >= 6 ? 'kernel' : 'partial',
    signals: abi >= 6 ? 'kernel' : 'none',
    syscalls: 'kernel',
    'limits.memory': memory,
    // Without a user namespace, all processes of the user are counted together, and those of uid 0 are not.
    'limits.processes': countsProcesses(facts) ? 'kernel' : 'partial',
    'limits.cpu': cpu,
    'limits.disk': 'partial',
    'kernel.separate': 'none',
    'hardware.separate': 'none',
  };
}

function countsProcesses({ cgroups }: BackendFacts): boolean {
  return cgroups.kind === 'v2'
    ? cgroups.controllers.includes('pids')
    : cgroups.kind === 'v1' && cgroups.directories.pids !== undefined;
}
