import { isUtf8 } from 'node:buffer';
import { failed, refused } from './failure.ts';
import { type GitPlace, runGit, type Settings } from './git.ts';

/** More drivers than any repository has, and few enough for an environment. */
const mostDrivers = 500;

/**
 * Settings that take away the programs which the repository's own configuration names by keys of its own choice:
 * filters, merge drivers, textconv, hooks of the configuration. Git has no option that turns all filters off, and
 * reading a configuration runs nothing. Throws `HF_WORKTREE_REFUSED` for a configuration in which something else could
 * count once git runs in the worktree.
 */
export function overridesFor(place: GitPlace): Settings {
  const { stdout } = runGit(
    place,
    ['config', '--null', '--name-only', '--get-regexp', String.raw`^(filter|merge|diff|hook|includeif)\.`],
    { statuses: [0, 1] },
  );
  const keys = textOf(stdout).split('\0');
  // Attack: a filter in a file that is included on the new branch only, or only below `worktrees/`.
  if (keys.some((key) => key.startsWith('includeif.')))
    throw refused(
      `the configuration of ${place.gitDirectory} includes files by conditions (includeIf), which may name programs in the worktree alone`,
      "take them out of the repository's configuration; your own may have them",
    );
  const drivers = new Set(keys.flatMap((key) => /^((?:filter|merge|diff|hook)\..+)\.[^.]+$/su.exec(key)?.[1] ?? []));
  if (drivers.size > mostDrivers)
    throw failed(
      `the configuration of the repository names ${drivers.size} drivers, and at most ${mostDrivers} can be switched off`,
    );
  return [...drivers].flatMap(offFor);
}

/** Attack: a filter called by a byte that is no text. It would be switched off under another name. */
function textOf(keys: Buffer): string {
  if (!isUtf8(keys))
    throw refused(
      'the configuration of the repository has a name that is no UTF-8',
      'give its filters and drivers other names',
    );
  return keys.toString('utf8');
}

function offFor(driver: string): Settings {
  const set = (values: Readonly<Record<string, string>>): Settings =>
    Object.entries(values).map(([key, value]) => [`${driver}.${key}`, value] as const);
  if (driver.startsWith('filter.')) return set({ clean: '', smudge: '', process: '', required: 'false' });
  if (driver.startsWith('merge.')) return set({ driver: 'false' });
  if (driver.startsWith('diff.')) return set({ command: '', textconv: '' });
  return set({ command: 'false', enabled: 'false' });
}
