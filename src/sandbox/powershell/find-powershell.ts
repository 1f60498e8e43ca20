import { realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';

const names = ['pwsh', 'powershell'];

/**
 * The PowerShell of the host. Only absolute entries of `PATH` count, and nothing below a root that a box can write to: what lies
 * there could be anything, and would run outside of every box.
 */
export function findPowerShell(path: string, writableRoots: readonly string[]): string | undefined {
  const candidates = names.flatMap((name) => path.split(':').flatMap((entry) => (entry.startsWith('/') ? [join(entry, name)] : [])));
  return candidates.find((candidate) => {
    const real = executableAt(candidate);
    return real !== undefined && ![candidate, real].some((place) => writableRoots.some((root) => isWithin(place, root)));
  });
}

function executableAt(path: string): string | undefined {
  try {
    const real = realpathSync(path);
    const stats = statSync(real);
    // Whoever may write to it is whoever else may decide what runs here.
    return stats.isFile() && (stats.mode & 0o111) !== 0 && (stats.mode & 0o002) === 0 ? real : undefined;
  } catch {
    return undefined;
  }
}

function isWithin(path: string, root: string): boolean {
  return root === '/' || path === root || path.startsWith(`${root}/`);
}
