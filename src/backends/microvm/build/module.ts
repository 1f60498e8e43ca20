import { readElf } from './elf.ts';

interface ModuleFacts {
  /** Names of modules that must be loaded first, with `_` instead of `-`. */
  readonly depends: readonly string[];
  /** Version of the kernel that the module was built for. */
  readonly kernel: string;
}

/** Returns the facts that a kernel module states. Undefined for another file. Hostile bytes do not make it throw. */
export function moduleFacts(bytes: Buffer): ModuleFacts | undefined {
  const info = readElf(bytes)?.sections.find(({ name }) => name === '.modinfo')?.bytes;
  if (info === undefined || info.length > most) return undefined;
  const fields = new Map(
    info
      .toString('latin1')
      .split('\0')
      .map((field): [string, string] => [field.slice(0, field.indexOf('=')), field.slice(field.indexOf('=') + 1)]),
  );
  const kernel = fields.get('vermagic')?.split(' ')[0];
  if (kernel === undefined) return undefined;
  return {
    kernel,
    depends: (fields.get('depends') ?? '')
      .split(',')
      .filter((name) => name !== '')
      .map(moduleName),
  };
}

/** Returns `virtio_rng` for `kernel/drivers/char/hw_random/virtio-rng.ko.xz`. */
export function moduleName(path: string): string {
  return path
    .replace(/^.*\//u, '')
    .replace(/\.ko(?:\.\w+)?$/u, '')
    .replaceAll('-', '_');
}

const most = 1 << 20;

/** Modules that the guest loads before it mounts anything. Some kernels have them built in. */
export const neededModules = [
  'virtio',
  'virtio_ring',
  'virtio_mmio',
  'virtio_console',
  '9pnet_virtio',
  '9p',
  'virtio_net',
  'virtio_rng',
] as const;
/** Included if the kernel has them, and loaded when they are needed. */
export const furtherModules = ['overlay', 'fuse', 'virtiofs', 'vmw_vsock_virtio_transport'] as const;
/** All of these modules, and their dependencies in known kernels. */
export const likelyModules: readonly string[] = [
  ...neededModules,
  ...furtherModules,
  '9pnet',
  'fscache',
  'netfs',
  'net_failover',
  'failover',
  'rng_core',
  'vsock',
  'vmw_vsock_virtio_transport_common',
];

type ModuleOrder =
  | { readonly kind: 'complete'; readonly names: readonly string[] }
  /** Modules that still have to be read. */
  | { readonly kind: 'unread'; readonly names: readonly string[] };

/** Dependencies of each module that was read. `built-in` modules need no file. `unavailable` modules have none. */
export type KnownModules = ReadonlyMap<string, readonly string[] | 'built-in' | 'unavailable'>;

/**
 * Returns the modules of `wanted` with their dependencies. Each module comes after its own dependencies. The same facts
 * always give the same order. A cycle, which no real kernel has, is cut at the module that closes it.
 */
export function orderModules(wanted: readonly string[], known: KnownModules): ModuleOrder {
  const done = new Set<string>();
  const ordered: string[] = [];
  const unread = new Set<string>();
  // An explicit stack, because a long chain in hostile files must not overflow the call stack.
  const stack: { readonly name: string; readonly step: 'enter' | 'leave' }[] = wanted
    .toReversed()
    .map((name) => ({ name, step: 'enter' }));
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (next.step === 'leave') {
      ordered.push(next.name);
      continue;
    }
    if (done.has(next.name)) continue;
    done.add(next.name);
    const depends = known.get(next.name);
    if (depends === undefined) unread.add(next.name);
    if (depends === undefined || typeof depends === 'string') continue;
    stack.push(
      { name: next.name, step: 'leave' },
      ...depends.toReversed().map((name) => ({ name, step: 'enter' }) as const),
    );
  }
  return unread.size > 0 ? { kind: 'unread', names: [...unread].toSorted() } : { kind: 'complete', names: ordered };
}
