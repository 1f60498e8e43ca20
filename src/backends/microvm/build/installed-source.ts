import { createHash } from 'node:crypto';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { compressionOf, decompress } from './decompress.ts';
import { imageError, type KernelSource, largestKernel, largestModule } from './image-error.ts';
import { moduleName } from './module.ts';

/** A kernel that is installed below `root`. Throws `HF_IMAGE_FAILED` when it is not, or may not be read. */
export function installedSource(version: string, root = '/'): KernelSource {
  if (!/^[\w.+~-]{1,64}$/u.test(version) || version.startsWith('.'))
    throw imageError(`${JSON.stringify(version)} is no version of a kernel`, 'use one of the names in /lib/modules');
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
      'give the package of a kernel with --package, which anybody may read',
      cause,
    );
  }
}
