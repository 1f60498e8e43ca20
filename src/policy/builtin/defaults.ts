import { type DefaultGrant, defaultGrants } from './default-grant.ts';

/**
 * Places that are created for every box and never show the host's. So they need no protection, and no ceiling applies
 * to them.
 */
export const privatePlaces: readonly DefaultGrant[] = [
  ...defaultGrants('temporary files, in memory, gone with the box', ['/tmp', '/var/tmp', '/dev/shm']),
  ...defaultGrants("the box's own devices and processes", ['/dev', '/proc', '/run/lock', '/run/holdfast']),
];

/** Programs, libraries and data of the system, the same for everyone on the machine. Ceilings do not remove them. */
export const systemReads: readonly DefaultGrant[] = [
  ...defaultGrants('programs and libraries of the system', [
    '/usr',
    '/bin',
    '/sbin',
    '/lib',
    '/lib32',
    '/lib64',
    '/libx32',
    '/opt',
    '/snap',
    '/nix',
    '/gnu/store',
    '/run/current-system',
    '/home/linuxbrew/.linuxbrew',
    '/var/lib/flatpak/runtime',
  ]),
  ...defaultGrants('configuration of the system', ['/etc', '/run/systemd/resolve/stub-resolv.conf', '/run/resolvconf']),
  ...defaultGrants('lists of installed packages', [
    '/var/lib/dpkg',
    '/var/lib/apt/lists',
    '/var/lib/rpm',
    '/var/lib/pacman',
    '/var/lib/alternatives',
    '/var/cache/fontconfig',
    '/var/lib/ca-certificates',
    '/var/lib/locales',
  ]),
  ...defaultGrants('how many processors and how much memory there are', [
    '/sys/devices/system/cpu',
    '/sys/devices/system/node',
    '/sys/devices/virtual/dmi/id/product_name',
    '/sys/kernel/mm/transparent_hugepage',
    '/sys/fs/cgroup',
  ]),
];

/** The workspace itself. */
export const defaultWrites: readonly DefaultGrant[] = defaultGrants('the workspace', ['.']);

/**
 * Caches that builds read and write. A box's writes are discarded with it, because a poisoned cache would outlive the
 * session.
 */
export const ephemeralPlaces: readonly DefaultGrant[] = defaultGrants('caches of package managers and build tools', [
  '~/.cache',
  '~/Library/Caches',
  '~/.npm',
  '~/.node-gyp',
  '~/.yarn/berry/cache',
  '~/.local/share/pnpm',
  '~/.pnpm-store',
  '~/.bun/install/cache',
  '~/.cargo/registry',
  '~/.cargo/git',
  '~/.cargo/.package-cache',
  '~/.cargo/.global-cache',
  '~/.m2/repository',
  '~/.gradle/caches',
  '~/.gradle/daemon',
  '~/.gradle/native',
  '~/.ivy2/cache',
  '~/.sbt',
  '~/.konan',
  '~/go/pkg',
  '~/.nuget/packages',
  '~/.local/share/NuGet',
  '~/.gem/specs',
  '~/.bundle/cache',
  '~/.composer/cache',
  '~/.pub-cache',
  '~/.cabal/packages',
  '~/.stack/pantry',
  '~/.ccache',
  '~/.ccls-cache',
  '~/.mypy_cache',
  '~/.electron-gyp',
  '~/.android/cache',
  '~/.julia/compiled',
  '~/.hex/packages',
]);
