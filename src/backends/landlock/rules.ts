import type { LandlockRule, Mount } from '../../plan/index.ts';

/** What of `/proc` belongs to no process. All else there is opened by the supervisor, for the box's own processes. */
const systemFacts = ['cpuinfo', 'meminfo', 'stat', 'uptime', 'loadavg', 'version', 'filesystems', 'cgroups', 'devices', 'swaps', 'vmstat', 'sys'] as const;
/** No terminals: `/dev/pts` has those of the user's other windows. */
const devices = ['null', 'zero', 'full', 'random', 'urandom', 'tty', 'ptmx'] as const;

/** What the kernel lets the box open, whatever the supervisor says; it says less. */
export function landlockRules(mounts: readonly Mount[]): readonly LandlockRule[] {
  return mounts.flatMap(rulesOf);
}

function rulesOf(mount: Mount): readonly LandlockRule[] {
  switch (mount.kind) {
    // Also what may be written: the supervisor writes in the box's place, and its descriptors carry that with them.
    case 'bind':
    case 'tmpfs':
      return [{ path: mount.target, access: 'read' }];
    case 'proc':
      return systemFacts.map((name) => ({ path: `${mount.target}/${name}`, access: 'read' }));
    case 'devices':
      return devices.map((name) => ({ path: `${mount.target}/${name}`, access: 'devices' }));
    case 'overlay':
    case 'directory':
    case 'symlink':
    case 'file':
    case 'mask':
      return [];
  }
}
