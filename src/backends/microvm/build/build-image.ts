import { createHash } from 'node:crypto';
import { decompress, readBzImage } from './bzimage.ts';
import { type Elf, readElf, segmentType } from './elf.ts';
import { imageError, type KernelSource } from './image-error.ts';
import type { ImageFile, ImageManifest } from './manifest.ts';
import { furtherModules, moduleFacts, neededModules, orderModules } from './module.ts';

/** An image that is not on disk yet. */
export interface BuiltImage {
  readonly manifest: ImageManifest;
  readonly vmlinux: Buffer;
  readonly initramfs: Buffer;
}

/**
 * Builds an image from a kernel and the guest's first program. The same inputs give the same bytes. Writes nothing.
 * Throws `HF_IMAGE_FAILED` for a kernel or a program that no guest could boot.
 */
export async function buildImage(
  source: KernelSource,
  guest: Buffer,
  progress: (line: string) => void,
): Promise<BuiltImage> {
  if (readElf(guest)?.segments.every(({ type }) => type !== segmentType.interpreter) !== true)
    throw imageError(
      'the program of the guest is not a static program for x86-64',
      'build it with `make -C native`, on x86-64',
    );
  progress(`unpacking the kernel ${source.version}`);
  const vmlinux = await unpackKernel(source);
  progress('choosing its modules');
  const modules = await selectModules(source);
  const initramfs = writeInitramfs(guest, modules);
  return {
    vmlinux,
    initramfs,
    manifest: {
      format: 1,
      kernelVersion: source.version,
      source: source.origin,
      files: { vmlinux: fileOf(vmlinux), 'initramfs.cpio': fileOf(initramfs) },
      guest: sha256(guest),
      modules: [...modules.needed, ...modules.further].map(({ name, bytes }) => ({ name, sha256: sha256(bytes) })),
    },
  };
}

/** Bytes. Debian's kernel has 66 MB. */
const largestVmlinux = 512 << 20;
const remedy = 'give the package of another kernel with --package';

async function unpackKernel({ kernel, version }: KernelSource): Promise<Buffer> {
  const image = readBzImage(kernel);
  if (image.kind === 'invalid')
    throw imageError(`the kernel ${version} is damaged or of another kind: ${image.why}`, remedy);
  if (image.version !== version) throw imageError(`the kernel ${version} says that it is ${image.version}`, remedy);
  const bytes = await decompress(image.payload, image.compression, {
    most: largestVmlinux,
    what: `the kernel ${version}`,
  });
  const elf = bytes.length === image.size ? readElf(bytes) : undefined;
  if (elf === undefined)
    throw imageError(`the kernel ${version} is damaged: it is no program for x86-64, or only a part of one`, remedy);
  if (!hasPvhEntry(elf))
    throw imageError(`the kernel ${version} cannot be started directly: it was built without CONFIG_PVH`, remedy);
  return bytes;
}

function fileOf(bytes: Buffer): ImageFile {
  return { size: bytes.length, sha256: sha256(bytes) };
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/**
 * Whether a kernel has the entry point that qemu and Firecracker start without a boot loader:
 * `XEN_ELFNOTE_PHYS32_ENTRY`.
 */
export function hasPvhEntry({ segments }: Elf): boolean {
  return segments.some(
    ({ type, bytes }) => type === segmentType.note && noteTypes(bytes, 'Xen').includes(physicalEntry),
  );
}

/** Source: `xen/include/public/elfnote.h`. */
const physicalEntry = 18;
const noteHeader = 12;

function noteTypes(notes: Buffer, owner: string): readonly number[] {
  const types: number[] = [];
  for (let at = 0; at + noteHeader <= notes.length; ) {
    const [nameSize, size] = [notes.readUInt32LE(at), notes.readUInt32LE(at + 4)];
    const name = notes.toString('latin1', at + noteHeader, at + noteHeader + Math.min(nameSize, owner.length + 1));
    if (name === `${owner}\0`) types.push(notes.readUInt32LE(at + 8));
    at += noteHeader + aligned(nameSize) + aligned(size);
  }
  return types;
}

function aligned(size: number): number {
  return Math.ceil(size / 4) * 4;
}

/**
 * The guest's first file system: `/init`, `/modules/NAME.ko`, a console, and directories to mount on. `/modules/list`
 * holds file names, one on each line, in load order. `/modules/further` holds the modules that load only on demand.
 */
function writeInitramfs(guest: Uint8Array, { needed, further }: SelectedModules): Buffer {
  return writeCpio([
    ...directories.map((path): CpioEntry => ({ kind: 'directory', path, mode: 0o755 })),
    // The kernel opens the console for the first process, before a device file system can be mounted.
    { kind: 'device', path: 'dev/console', mode: 0o600, device: [5, 1] },
    { kind: 'file', path: 'init', mode: 0o755, bytes: guest },
    ...[...needed, ...further].map(
      ({ name, bytes }): CpioEntry => ({ kind: 'file', path: `modules/${name}.ko`, mode: 0o644, bytes }),
    ),
    { kind: 'file', path: 'modules/list', mode: 0o644, bytes: listOf(needed) },
    { kind: 'file', path: 'modules/further', mode: 0o644, bytes: listOf(further) },
  ]);
}

const directories = ['dev', 'modules', 'newroot', 'proc', 'run', 'sys', 'tmp'] as const;

function listOf(modules: readonly GuestModule[]): Buffer {
  return Buffer.from(modules.map(({ name }) => `${name}.ko\n`).join(''));
}

export type CpioEntry =
  | { readonly kind: 'directory'; readonly path: string; readonly mode: number }
  | { readonly kind: 'file'; readonly path: string; readonly mode: number; readonly bytes: Uint8Array }
  /** A character device: major and minor number. */
  | {
      readonly kind: 'device';
      readonly path: string;
      readonly mode: number;
      readonly device: readonly [number, number];
    };

/**
 * Returns an archive in the format `newc`, which the kernel unpacks when it starts. Entries are sorted by path, root
 * owns everything, and all times are zero, so the same entries give the same bytes. Paths are relative and ASCII. Modes
 * have permission bits only.
 */
export function writeCpio(entries: readonly CpioEntry[]): Buffer {
  const sorted = entries.toSorted((left, right) => (left.path < right.path ? -1 : 1));
  const parts = sorted.flatMap((entry, index) => member(entry, index + 1));
  const end = member({ kind: 'file', path: 'TRAILER!!!', mode: 0, bytes: new Uint8Array() }, 0);
  return padded(Buffer.concat([...parts, ...end]), 512);
}

const types = { directory: 0o040000, file: 0o100000, device: 0o020000 } as const;

function member(entry: CpioEntry, inode: number): readonly Buffer[] {
  const bytes = entry.kind === 'file' ? entry.bytes : new Uint8Array();
  const device = entry.kind === 'device' ? entry.device : ([0, 0] as const);
  const name = `${entry.path}\0`;
  const mode = inode === 0 ? 0 : types[entry.kind] | entry.mode;
  const numbers = [
    inode,
    mode,
    0,
    0,
    entry.kind === 'directory' ? 2 : 1,
    0,
    bytes.length,
    0,
    0,
    ...device,
    name.length,
    0,
  ];
  const header = `070701${numbers.map((number) => number.toString(16).padStart(8, '0')).join('')}${name}`;
  return [padded(Buffer.from(header, 'latin1'), 4), padded(Buffer.from(bytes), 4)];
}

function padded(bytes: Buffer, multiple: number): Buffer {
  const missing = (multiple - (bytes.length % multiple)) % multiple;
  return missing === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(missing)]);
}

interface GuestModule {
  /** Name with `_` instead of `-`. */
  readonly name: string;
  readonly bytes: Buffer;
}

interface SelectedModules {
  /** Modules that the guest loads first, in this order. */
  readonly needed: readonly GuestModule[];
  /** Modules that may be loaded later, in this order. */
  readonly further: readonly GuestModule[];
}

/** Each pass finds the dependencies of the modules that the previous pass found. */
const mostPasses = 16;

/** Throws `HF_IMAGE_FAILED` for a kernel that lacks modules which a guest needs, and for modules of another kernel. */
async function selectModules(source: KernelSource): Promise<SelectedModules> {
  const known = new Map<string, readonly string[] | 'built-in' | 'unavailable'>();
  const files = new Map<string, Buffer>();
  const complete = async (wanted: readonly string[]): Promise<readonly string[]> => {
    for (let pass = 0; pass < mostPasses; pass += 1) {
      const order = orderModules(wanted, known);
      if (order.kind === 'complete') return order.names;
      await learn(source, order.names, { known, files });
    }
    throw imageError(
      `the modules of the kernel ${source.version} have too long a chain of dependencies`,
      'give another kernel with --package',
    );
  };
  const all = await complete([...neededModules, ...furtherModules]);
  const missing = reach(neededModules, known).filter((name) => known.get(name) === 'unavailable');
  if (missing.length > 0)
    throw imageError(
      `the kernel ${source.version} lacks the modules ${missing.join(', ')}`,
      'give the generic kernel of the distribution with --package, not the one for clouds',
    );
  const needed = await complete(neededModules);
  const further = all.filter(
    (name) => !needed.includes(name) && reach([name], known).every((other) => known.get(other) !== 'unavailable'),
  );
  const withBytes = (names: readonly string[]): readonly GuestModule[] =>
    names.flatMap((name) => {
      const bytes = files.get(name);
      return bytes === undefined ? [] : [{ name, bytes }];
    });
  return { needed: withBytes(needed), further: withBytes(further) };
}

interface Learnt {
  readonly known: Map<string, readonly string[] | 'built-in' | 'unavailable'>;
  readonly files: Map<string, Buffer>;
}

async function learn(source: KernelSource, names: readonly string[], { known, files }: Learnt): Promise<void> {
  const read = await source.read(names.filter((name) => !source.builtIn.has(name)));
  for (const name of names) {
    const bytes = read.get(name);
    if (bytes === undefined) known.set(name, source.builtIn.has(name) ? 'built-in' : 'unavailable');
    else {
      known.set(name, checked(name, bytes, source));
      files.set(name, bytes);
    }
  }
}

function checked(name: string, bytes: Buffer, source: KernelSource): readonly string[] {
  const facts = moduleFacts(bytes);
  if (facts === undefined)
    throw imageError(`the module ${name} is damaged`, 'fetch the package again, or give another one with --package');
  if (facts.kernel !== source.version)
    throw imageError(
      `the module ${name} is for the kernel ${JSON.stringify(facts.kernel)}, not ${source.version}`,
      'give the kernel and its modules in one package with --package',
    );
  return facts.depends;
}

/** Returns `names` and all modules that they depend on. */
function reach(names: readonly string[], known: Learnt['known']): readonly string[] {
  const reached = new Set(names);
  for (const name of reached) {
    const depends = known.get(name);
    if (Array.isArray(depends)) for (const other of depends) reached.add(other);
  }
  return [...reached];
}
