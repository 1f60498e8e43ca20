import type { Mount } from './types.ts';

/** Private places that never show the host's: they are made anew for each box, whatever a policy grants around them. */
const privateDirectories = ['/tmp', '/var/tmp', '/dev', '/proc', '/run'] as const;

/** Old names of directories that moved, which programs still use. */
const compatibilityLinks = [
  { target: '/var/run', to: '/run' },
  { target: '/var/lock', to: '/run/lock' },
] as const;

const megabyte = 1 << 20;
const sharedMemorySize = 512 * megabyte;

/** The mounts that every box has. `tmp` is the size of the private `/tmp` in bytes, 0 for the kernel's default. */
export function skeletonMounts(tmp: number): readonly Mount[] {
  return [
    { kind: 'proc', target: '/proc' },
    { kind: 'devices', target: '/dev', shmSize: tmp === 0 ? sharedMemorySize : Math.min(tmp, sharedMemorySize) },
    { kind: 'tmpfs', target: '/tmp', mode: 0o1777, size: tmp },
    { kind: 'tmpfs', target: '/var/tmp', mode: 0o1777, size: tmp },
    { kind: 'directory', target: '/run', mode: 0o755 },
    { kind: 'directory', target: '/run/lock', mode: 0o755 },
    ...compatibilityLinks.map((link): Mount => ({ kind: 'symlink', ...link })),
  ];
}

/** One of these directories itself; what a policy names inside of them is the host's. */
export function isPrivateDirectory(path: string): boolean {
  return privateDirectories.some((directory) => path === directory);
}

export function isPrivatePath(path: string): boolean {
  return privateDirectories.some((directory) => path === directory || path.startsWith(`${directory}/`));
}
