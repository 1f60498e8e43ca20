import type { LandlockPlan, LandlockRule, Mount } from './types.ts';

/**
 * The second layer below the mounts. The private root holds nothing that may not be read, so one rule grants reading;
 * writing is granted mount by mount. A rule close to the files keeps the kernel's walk upwards short.
 */
export function planLandlock(mounts: readonly Mount[]): LandlockPlan {
  const writable = mounts.flatMap((mount): LandlockRule[] => (isWritable(mount) ? [{ path: mount.target, access: 'write' }] : []));
  return {
    minimumAbi: 0,
    rules: [{ path: '/', access: 'read' }, { path: '/dev', access: 'devices' }, { path: '/dev/shm', access: 'write' }, ...writable],
  };
}

function isWritable(mount: Mount): boolean {
  switch (mount.kind) {
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
      return false;
  }
}
