import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { compressionOf, decompress } from './bzimage.ts';
import { imageError, type KernelSource, largestKernel, largestModule } from './image-error.ts';
import { likelyModules, moduleName } from './module.ts';
import { runTool } from './run-tool.ts';

/** Bytes of a package, and of its content. Debian's kernels have 70 MB and 400 MB. */
const largestPackage = 1 << 30;
const largestContent = 8 * (1 << 30);
/** Most bytes of files to keep. A kernel and its modules for guests have 12 MB. */
const mostKept = 256 << 20;
const remedy =
  'use --package with the package of a kernel for amd64, for example from `apt-get download linux-image-…-amd64`';

/** Returns the kernel of a Debian package. Writes nothing to disk. Throws `HF_IMAGE_FAILED` for any other file. */
export async function packageSource(file: string): Promise<KernelSource> {
  const bytes = readPackage(file);
  const { name, version, architecture } = await fields(file);
  if (architecture !== 'amd64') throw imageError(`${file} is for ${architecture}`, remedy);
  // One pass over a package takes a second or more, so files that are probably needed are read together with the
  // kernel.
  const found = await members(
    file,
    (path, size) =>
      (kernelPath.test(path) && size <= largestKernel) ||
      (builtInPath.test(path) && size <= 1 << 20) ||
      isModule(path, size, likelyModules),
  );
  const [kernel, ...more] = found.filter(({ path }) => kernelPath.test(path));
  if (kernel === undefined || more.length > 0)
    throw imageError(`${file} has ${kernel === undefined ? 'no kernel' : 'several kernels'} in /boot`, remedy);
  const kernelVersion = kernelPath.exec(kernel.path)?.[1] ?? '';
  const builtIn = found.find(({ path }) => path.endsWith(`/${kernelVersion}/modules.builtin`))?.bytes.toString() ?? '';
  return {
    origin: { kind: 'package', name, version, sha256: createHash('sha256').update(bytes).digest('hex') },
    version: kernelVersion,
    kernel: kernel.bytes,
    builtIn: new Set(builtIn.split('\n').map(moduleName)),
    read: (names) => readModules({ file, version: kernelVersion, found }, names),
  };
}

const kernelPath = /^boot\/vmlinuz-([\w.+~-]{1,64})$/u;
const builtInPath = /^(?:usr\/)?lib\/modules\/[^/]+\/modules\.builtin$/u;

function readPackage(file: string): Buffer {
  try {
    const bytes = readFileSync(file);
    if (bytes.length > largestPackage) throw imageError(`${file} is larger than any package of a kernel`, remedy);
    return bytes;
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string' && cause.code.startsWith('E'))
      throw imageError(`${file} cannot be read: ${cause.code}`, remedy, cause);
    throw cause;
  }
}

async function fields(
  file: string,
): Promise<{ readonly name: string; readonly version: string; readonly architecture: string }> {
  const { status, output, stderr } = await runTool('dpkg-deb', {
    arguments: ['--field', file, 'Package', 'Version', 'Architecture'],
  });
  const read = (field: string): string =>
    new RegExp(`^${field}: ([\\w.+:~-]{1,128})$`, 'mu').exec(output.toString())?.[1] ?? '';
  const [name, version, architecture] = [read('Package'), read('Version'), read('Architecture')];
  if (status !== 0 || name === '' || version === '')
    throw imageError(`${file} is not a Debian package, or a damaged one${lastLine(stderr)}`, remedy);
  return { name, version, architecture };
}

interface ReadPackage {
  readonly file: string;
  readonly version: string;
  readonly found: readonly TarMember[];
}

async function readModules(
  { file, version, found }: ReadPackage,
  names: readonly string[],
): Promise<ReadonlyMap<string, Buffer>> {
  const further = names.filter((name) => !likelyModules.includes(name));
  const files =
    further.length === 0 ? found : [...found, ...(await members(file, (path, size) => isModule(path, size, further)))];
  const asked = files.filter(
    ({ path }) =>
      path.replace(/^usr\//u, '').startsWith(`lib/modules/${version}/kernel/`) && names.includes(moduleName(path)),
  );
  return new Map(
    await Promise.all(
      asked.map(async ({ path, bytes }): Promise<[string, Buffer]> => [moduleName(path), await plain(path, bytes)]),
    ),
  );
}

function isModule(path: string, size: number, names: readonly string[]): boolean {
  return size <= largestModule && /\.ko(?:\.\w+)?$/u.test(path) && names.includes(moduleName(path));
}

async function plain(path: string, bytes: Buffer): Promise<Buffer> {
  const compression = compressionOf(path);
  return compression === undefined ? bytes : decompress(bytes, compression, { most: largestModule, what: path });
}

async function members(file: string, wanted: (path: string, size: number) => boolean): Promise<readonly TarMember[]> {
  let left = mostKept;
  const reader = tarReader((path, size) => wanted(path, size) && (left -= size) >= 0);
  const found: TarMember[] = [];
  const { status, ending, stderr } = await runTool('dpkg-deb', {
    arguments: ['--fsys-tarfile', file],
    onOutput: (chunk) => found.push(...reader.push(chunk)),
    most: largestContent,
    limit: 300_000,
  });
  if (ending !== 'exited' || status !== 0 || reader.state() !== 'complete')
    throw imageError(`${file} is damaged: its content cannot be read${lastLine(stderr)}`, remedy);
  return found;
}

function lastLine(stderr: string): string {
  const line = stderr.trim().split('\n').at(-1) ?? '';
  return line === '' ? '' : `: ${line}`;
}

interface TarMember {
  /** Path in the archive, without a leading `./` or `/`. */
  readonly path: string;
  readonly bytes: Buffer;
}

interface TarReader {
  /** Returns the wanted regular files that end in this chunk of the archive. Never throws. */
  push(chunk: Buffer): readonly TarMember[];
  /** Whether the archive was valid so far, and whether it has ended. */
  state(): 'reading' | 'complete' | 'invalid';
}

/**
 * Reads a tar archive (ustar, and the long names of GNU and pax) chunk by chunk. Skips everything except regular files.
 * Writes nothing to disk, so a hostile member's path cannot do harm. Keeps at most one file at a time. `wanted` chooses
 * files by path and size.
 */
export function tarReader(wanted: (path: string, size: number) => boolean): TarReader {
  let state: 'reading' | 'complete' | 'invalid' = 'reading';
  let rest = Buffer.alloc(0);
  let longName: string | undefined;
  let current: Current | undefined;
  return { state: () => state, push };

  function push(chunk: Buffer): readonly TarMember[] {
    const members: TarMember[] = [];
    let bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (state === 'reading') {
      if (current === undefined) {
        if (bytes.length < block) break;
        begin(bytes.subarray(0, block));
        bytes = bytes.subarray(block);
        continue;
      }
      bytes = take(current, bytes);
      if (current.left > 0) break;
      finish(current, members);
      current = undefined;
    }
    rest = state === 'reading' ? Buffer.from(bytes) : Buffer.alloc(0);
    return members;
  }

  function begin(header: Buffer): void {
    const read = readHeader(header);
    if (read === 'end') state = 'complete';
    else if (read === undefined) state = 'invalid';
    else current = purposeOf(read, longName, wanted);
  }

  function finish({ purpose, path, size, kept }: Current, members: TarMember[]): void {
    const bytes = Buffer.concat(kept).subarray(0, size);
    if (purpose === 'name') longName = bytes.toString('latin1').replace(/\0.*$/su, '');
    else if (purpose === 'pax') longName = /^\d+ path=([^\n]*)$/mu.exec(bytes.toString('latin1'))?.[1] ?? longName;
    else longName = undefined;
    if (purpose === 'member') members.push({ path, bytes });
  }
}

const block = 512;
/** Most bytes of one member's names and attributes. No package has more. */
const mostAttributes = 1 << 16;

interface Header {
  readonly path: string;
  readonly size: number;
  readonly type: string;
}

interface Current {
  readonly purpose: 'member' | 'name' | 'pax' | 'passed-over';
  readonly path: string;
  readonly size: number;
  readonly kept: Buffer[];
  /** Bytes that are still missing, including the padding. */
  left: number;
}

function purposeOf(
  { path, size, type }: Header,
  longName: string | undefined,
  wanted: (path: string, size: number) => boolean,
): Current {
  const name = (longName ?? path).replace(/^(?:\.?\/)+/u, '');
  const base = { path: name, size, kept: [], left: Math.ceil(size / block) * block };
  if (type === 'L' && size <= mostAttributes) return { ...base, purpose: 'name' };
  if (type === 'x' && size <= mostAttributes) return { ...base, purpose: 'pax' };
  return { ...base, purpose: (type === '0' || type === '\0') && wanted(name, size) ? 'member' : 'passed-over' };
}

function take(current: Current, bytes: Buffer): Buffer {
  const piece = bytes.subarray(0, current.left);
  if (current.purpose !== 'passed-over') current.kept.push(piece);
  current.left -= piece.length;
  return bytes.subarray(piece.length);
}

function readHeader(header: Buffer): Header | 'end' | undefined {
  if (header.every((byte) => byte === 0)) return 'end';
  const sum = header.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0);
  const size = numberAt(header, 124, 12);
  if (numberAt(header, 148, 8) !== sum || size === undefined) return undefined;
  const prefix = header.toString('latin1', 257, 262) === 'ustar' && header[262] === 0 ? textAt(header, 345, 155) : '';
  return {
    path: `${prefix === '' ? '' : `${prefix}/`}${textAt(header, 0, 100)}`,
    size,
    type: header.toString('latin1', 156, 157),
  };
}

function numberAt(header: Buffer, at: number, length: number): number | undefined {
  const digits = textAt(header, at, length).trim();
  return /^[0-7]{1,11}$/u.test(digits) ? Number.parseInt(digits, 8) : undefined;
}

function textAt(header: Buffer, at: number, length: number): string {
  return header.toString('latin1', at, at + length).replace(/\0.*$/su, '');
}
