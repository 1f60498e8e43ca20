import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { compressionOf, decompress } from './decompress.ts';
import { imageError } from './image-error.ts';
import { largestKernel, largestModule, type KernelSource } from './kernel-source.ts';
import { moduleName } from './module-facts.ts';
import { likelyModules } from './module-order.ts';
import { runTool } from './run-tool.ts';
import { tarReader, type TarMember } from './tar.ts';

/** Bytes of a package and of what is in it. Debian's kernels have 70 and 400 MB. */
const largestPackage = 1 << 30;
const largestContent = 8 * (1 << 30);
/** Bytes of files of interest: a kernel and its modules for guests have 12 MB. */
const mostKept = 256 << 20;
const remedy = 'give the package of a kernel for amd64 with --package, e.g. from `apt-get download linux-image-…-amd64`';

/** A kernel in a Debian package. Nothing of it is written anywhere. Throws `HF_IMAGE_FAILED` for what is no such package. */
export async function packageSource(file: string): Promise<KernelSource> {
  const bytes = readPackage(file);
  const { name, version, architecture } = await fields(file);
  if (architecture !== 'amd64') throw imageError(`${file} is for ${architecture}`, remedy);
  // One pass over a package takes a second or more: what most probably will be asked for comes along with the kernel.
  const found = await members(file, (path, size) => (kernelPath.test(path) && size <= largestKernel) || (builtInPath.test(path) && size <= 1 << 20) || isModule(path, size, likelyModules));
  const [kernel, ...more] = found.filter(({ path }) => kernelPath.test(path));
  if (kernel === undefined || more.length > 0) throw imageError(`${file} has ${kernel === undefined ? 'no kernel' : 'several kernels'} in /boot`, remedy);
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
    if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string' && cause.code.startsWith('E')) throw imageError(`${file} cannot be read: ${cause.code}`, remedy, cause);
    throw cause;
  }
}

async function fields(file: string): Promise<{ readonly name: string; readonly version: string; readonly architecture: string }> {
  const { status, output, stderr } = await runTool('dpkg-deb', { arguments: ['--field', file, 'Package', 'Version', 'Architecture'] });
  const read = (field: string): string => new RegExp(`^${field}: ([\\w.+:~-]{1,128})$`, 'mu').exec(output.toString())?.[1] ?? '';
  const [name, version, architecture] = [read('Package'), read('Version'), read('Architecture')];
  if (status !== 0 || name === '' || version === '') throw imageError(`${file} is no Debian package, or a damaged one${lastLine(stderr)}`, remedy);
  return { name, version, architecture };
}

interface ReadPackage {
  readonly file: string;
  readonly version: string;
  readonly found: readonly TarMember[];
}

async function readModules({ file, version, found }: ReadPackage, names: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
  const further = names.filter((name) => !likelyModules.includes(name));
  const files = further.length === 0 ? found : [...found, ...(await members(file, (path, size) => isModule(path, size, further)))];
  const asked = files.filter(({ path }) => path.replace(/^usr\//u, '').startsWith(`lib/modules/${version}/kernel/`) && names.includes(moduleName(path)));
  return new Map(await Promise.all(asked.map(async ({ path, bytes }): Promise<[string, Buffer]> => [moduleName(path), await plain(path, bytes)])));
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
  const { status, ending, stderr } = await runTool('dpkg-deb', { arguments: ['--fsys-tarfile', file], onOutput: (chunk) => found.push(...reader.push(chunk)), most: largestContent, limit: 300_000 });
  if (ending !== 'exited' || status !== 0 || reader.state() !== 'complete') throw imageError(`${file} is damaged: what is in it cannot be read${lastLine(stderr)}`, remedy);
  return found;
}

function lastLine(stderr: string): string {
  const line = stderr.trim().split('\n').at(-1) ?? '';
  return line === '' ? '' : `: ${line}`;
}
