import { globSync } from 'node:fs';
import { join } from 'node:path';
import { diskFull, imageError } from './image-error.ts';
import { findTool, runTool } from './run-tool.ts';

/**
 * The package that the distribution's meta package for its default kernel names today: one with 9p, which the cloud
 * kernels lack.
 */
const metaPackage = 'linux-image-amd64';
const remedy = 'run `apt-get update` as root first, or give a package with --package FILE.deb';

/**
 * Fetches the default kernel's package into `directory`, as an ordinary user, by apt, which checks the signature. Gives
 * its path.
 */
export async function downloadKernel(directory: string, progress: (line: string) => void): Promise<string> {
  if (findTool('apt-get') === undefined)
    throw imageError(
      'there is no apt here to fetch a kernel with',
      'give the package of a Debian kernel with --package FILE.deb, or one that is installed with --installed VERSION',
    );
  const name = kernelPackage(
    (await runTool('apt-cache', { arguments: ['show', '--no-all-versions', metaPackage] })).output.toString(),
  );
  if (name === undefined) throw imageError(`apt knows no ${metaPackage} that names a kernel`, remedy);
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

/** The kernel that the meta package depends on. */
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
