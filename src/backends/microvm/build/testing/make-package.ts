import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeModule } from './make-elf.ts';
import { makeBzImage, pvhKernel, xz } from './make-kernel.ts';

export const testVersion = '6.1.0-0-test-amd64';

/** Modules of a bootable guest kernel, with their dependencies, as in Debian 12. */
export const usualModules: Readonly<Record<string, readonly string[]>> = {
  'drivers/virtio/virtio': [],
  'drivers/virtio/virtio_ring': ['virtio'],
  'drivers/virtio/virtio_mmio': ['virtio', 'virtio_ring'],
  'drivers/char/virtio_console': ['virtio', 'virtio_ring'],
  'drivers/char/hw_random/virtio-rng': ['virtio', 'virtio_ring', 'rng-core'],
  'fs/netfs/netfs': [],
  'fs/fscache/fscache': ['netfs'],
  'fs/9p/9p': ['9pnet', 'fscache', 'netfs'],
  'net/9p/9pnet': [],
  'net/9p/9pnet_virtio': ['virtio', '9pnet', 'virtio_ring'],
  'net/core/failover': [],
  'drivers/net/net_failover': ['failover'],
  'drivers/net/virtio_net': ['virtio_ring', 'virtio', 'net_failover'],
  'fs/overlayfs/overlay': [],
  'fs/fuse/virtiofs': ['fuse', 'virtio_ring'],
  'drivers/net/unrelated': [],
};

export interface PackageParts {
  readonly kernel?: Buffer;
  readonly modules?: Readonly<Record<string, readonly string[]>>;
  readonly moduleVersion?: string;
  readonly architecture?: string;
  /** Added or replaced files, by path. */
  readonly files?: Readonly<Record<string, Buffer>>;
}

/** Builds the package of a kernel in `directory` and returns its path. */
export function makePackage(directory: string, parts: PackageParts = {}): string {
  const root = join(directory, 'root');
  const modules = Object.entries(parts.modules ?? usualModules).map(([path, depends]): [string, Buffer] => [
    `lib/modules/${testVersion}/kernel/${path}.ko`,
    makeModule(parts.moduleVersion ?? testVersion, depends),
  ]);
  const [compressed, ...plain] = modules;
  const files: Readonly<Record<string, Buffer>> = {
    'DEBIAN/control': Buffer.from(
      `Package: linux-image-${testVersion}\nVersion: 1.2-3\nArchitecture: ${parts.architecture ?? 'amd64'}\nMaintainer: Someone <someone@example.com>\nDescription: a kernel\n`,
    ),
    [`boot/vmlinuz-${testVersion}`]:
      parts.kernel ?? makeBzImage({ version: testVersion, vmlinux: pvhKernel, compression: 'xz' }),
    [`lib/modules/${testVersion}/modules.builtin`]: Buffer.from('kernel/drivers/char/hw_random/rng-core.ko\n'),
    ...(compressed === undefined ? {} : { [`${compressed[0]}.xz`]: xz(compressed[1]) }),
    ...Object.fromEntries(plain),
    ...parts.files,
  };
  for (const [path, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), bytes);
  }
  const file = join(directory, 'kernel.deb');
  execFileSync('/usr/bin/dpkg-deb', ['--root-owner-group', '-Znone', '--build', root, file], { stdio: 'ignore' });
  return file;
}
