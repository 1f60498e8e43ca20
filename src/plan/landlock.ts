import type { ExecutionPlan } from './executables.ts';
import type { LandlockPlan, LandlockRule, Mount } from './types.ts';

/**
 * The second layer below the mounts. The private root holds nothing that may not be read, so one rule grants reading;
 * writing is granted mount by mount. A rule close to the files keeps the kernel's walk upwards short.
 */
export function planLandlock(mounts: readonly Mount[], { execution, rules }: ExecutionPlan): LandlockPlan {
  const writable = mounts.flatMap((mount): LandlockRule[] => (isWritable(mount) ? [{ path: mount.target, access: 'write' }] : []));
  return {
    // Nothing else keeps a program from running that is not listed.
    minimumAbi: execution === 'listed' ? 1 : 0,
    execution,
    rules: [{ path: '/', access: 'read' }, { path: '/dev', access: 'devices' }, { path: '/dev/shm', access: 'write' }, ...writable, ...rules],
  };
}

/** Whether the box can write to what a mount shows, devices and `/dev/shm` apart, which have rules of their own. */
export function isWritable(mount: Mount | undefined): boolean {
  switch (mount?.kind) {
    case 'bind':
      return mount.access === 'read-write';
    case 'overlay':
    case 'tmpfs':
      return true;
    case 'proc':
    case 'devices':
    case 'directory':
    case 'symlink':
    case 'file':
    case 'mask':
    case undefined:
      return false;
  }
}
