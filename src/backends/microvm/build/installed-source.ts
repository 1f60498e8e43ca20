import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { compressionOf, decompress } from './bzimage.ts';
import { diskError, diskFull, imageError, type KernelSource, largestKernel, largestModule } from './image-error.ts';
import { moduleName } from './module.ts';
import { findTool, runTool } from './run-tool.ts';

/** Returns a kernel that is installed below `root`. Throws `HF_IMAGE_FAILED` if it is missing or unreadable. */
export function installedSource(version: string, root = '/'): KernelSource {
  if (!/^[\w.+~-]{1,64}$/u.test(version) || version.startsWith('.'))
    throw imageError(`${JSON.stringify(version)} is not a version of a kernel`, 'use one of the names in /lib/modules');
  const kernel = readSmall(join(root, 'boot', `vmlinuz-${version}`), largestKernel);
  const modules = join(root, 'lib/modules', version);
  const builtIn = readSmall(join(modules, 'modules.builtin'), 1 << 20).toString();
  return {
    origin: { kind: 'installed', kernel: version, sha256: createHash('sha256').update(kernel).digest('hex') },
    version,
    kernel,
    builtIn: new Set(builtIn.split('\n').map(moduleName)),
    read: (names) => readModules(modules, names),
  };
}

async function readModules(directory: string, names: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
  const asked = new Set(names);
  const paths = globSync('kernel/**/*.ko*', { cwd: directory })
    .filter((path) => asked.has(moduleName(path)))
    .toSorted();
  return new Map(
    await Promise.all(
      paths.map(async (path): Promise<[string, Buffer]> => {
        const [bytes, compression] = [readSmall(join(directory, path), largestModule), compressionOf(path)];
        return [
          moduleName(path),
          compression === undefined ? bytes : await decompress(bytes, compression, { most: largestModule, what: path }),
        ];
      }),
    ),
  );
}

function readSmall(path: string, most: number): Buffer {
  try {
    const { size } = statSync(path);
    if (size > most)
      throw imageError(`${path} is larger than any kernel or module`, 'give the package of a kernel with --package');
    return readFileSync(path);
  } catch (cause) {
    if (!(cause instanceof Error) || !('syscall' in cause)) throw cause;
    throw imageError(
      `${path} cannot be read: ${cause.message.split(',')[0]}`,
      'give the package of a kernel with --package, in a file that anyone may read',
      cause,
    );
  }
}

/** The distribution's meta package for its default kernel. That kernel has 9p, and the cloud kernels lack it. */
const metaPackage = 'linux-image-amd64';
const remedy = 'run `apt-get update` as root first, or give a package with --package FILE.deb';

/**
 * Downloads the default kernel's package into `directory`, as an ordinary user, and returns its path. Uses apt, which
 * checks the signature.
 */
export async function downloadKernel(directory: string, progress: (line: string) => void): Promise<string> {
  if (findTool('apt-get') === undefined)
    throw imageError(
      'this system has no apt to download a kernel',
      'give the package of a Debian kernel with --package FILE.deb, or use an installed kernel with --installed VERSION',
    );
  const name = kernelPackage(
    (await runTool('apt-cache', { arguments: ['show', '--no-all-versions', metaPackage] })).output.toString(),
  );
  if (name === undefined) throw imageError(`apt has no ${metaPackage} that depends on a kernel`, remedy);
  progress(`fetching ${name} with apt-get`);
  const { status, ending, stderr } = await runTool('apt-get', {
    arguments: ['download', '--quiet', name],
    cwd: directory,
    limit: 1_800_000,
  });
  if (/no space left|enough free space/iu.test(stderr)) throw diskFull(directory);
  const [file, ...more] = globSync('*.deb', { cwd: directory });
  if (ending !== 'exited' || status !== 0 || file === undefined || more.length > 0)
    throw imageError(`apt-get could not fetch ${name}: ${said(stderr)}`, remedy);
  return join(directory, file);
}

/** Returns the kernel that the meta package depends on. */
export function kernelPackage(shown: string): string | undefined {
  return /^Depends:.*?\b(linux-image-\d[\w.+~-]*-amd64)\b/mu.exec(shown)?.[1];
}

function said(stderr: string): string {
  return (
    stderr
      .split('\n')
      .filter((line) => line.startsWith('E: '))
      .map((line) => line.slice(3))
      .join('; ') || 'it says nothing'
  );
}

/**
 * Runs `use` with an empty directory below `directory`, for this process alone. Afterwards removes it, and the
 * directories of killed builds.
 */
export async function withDownloadDirectory<T>(directory: string, use: (download: string) => Promise<T>): Promise<T> {
  removeAbandoned(directory);
  const download = join(directory, `${prefix}${process.pid}`);
  try {
    mkdirSync(download, { mode: 0o700 });
    return await use(download);
  } catch (error) {
    throw diskError(error, directory);
  } finally {
    rmSync(download, { recursive: true, force: true });
  }
}

const prefix = 'download-';

function removeAbandoned(directory: string): void {
  for (const name of readdirSync(directory)) {
    const pid = new RegExp(`^${prefix}(\\d+)$`, 'u').exec(name)?.[1];
    if (pid !== undefined && (Number(pid) === process.pid || !existsSync(`/proc/${pid}`)))
      rmSync(join(directory, name), { recursive: true, force: true });
  }
}
