import { readElf } from './elf.ts';

export interface ModuleFacts {
  /** Names of modules that must be there before it, with `_` for `-`. */
  readonly depends: readonly string[];
  /** Version of the kernel that it was built for. */
  readonly kernel: string;
}

/** What a kernel module says of itself; undefined for what is none. Total over hostile bytes. */
export function moduleFacts(bytes: Buffer): ModuleFacts | undefined {
  const info = readElf(bytes)?.sections.find(({ name }) => name === '.modinfo')?.bytes;
  if (info === undefined || info.length > most) return undefined;
  const fields = new Map(info.toString('latin1').split('\0').map((field): [string, string] => [field.slice(0, field.indexOf('=')), field.slice(field.indexOf('=') + 1)]));
  const kernel = fields.get('vermagic')?.split(' ')[0];
  if (kernel === undefined) return undefined;
  return { kernel, depends: (fields.get('depends') ?? '').split(',').filter((name) => name !== '').map(moduleName) };
}

/** `kernel/drivers/char/hw_random/virtio-rng.ko.xz` is `virtio_rng`. */
export function moduleName(path: string): string {
  return path.replace(/^.*\//u, '').replace(/\.ko(?:\.\w+)?$/u, '').replaceAll('-', '_');
}

const most = 1 << 20;
