import { failed } from './failure.ts';
import { type GitPlace, runGit, type Settings } from './git.ts';

/** More drivers than any repository has, and few enough for an environment. */
const mostDrivers = 500;

/**
 * Settings that take away the programs which the repository's own configuration names by keys of its own choice: filters, merge
 * drivers, textconv, hooks of the configuration. Git has no option that turns all filters off, and reading a configuration runs nothing.
 */
export function overridesFor(place: GitPlace): Settings {
  const { stdout } = runGit(place, ['config', '--null', '--name-only', '--get-regexp', String.raw`^(filter|merge|diff|hook)\.`], { statuses: [0, 1] });
  const drivers = new Set(stdout.toString('utf8').split('\0').flatMap((key) => /^((?:filter|merge|diff|hook)\..+)\.[^.]+$/su.exec(key)?.[1] ?? []));
  if (drivers.size > mostDrivers) throw failed(`the configuration of the repository names ${drivers.size} drivers, and at most ${mostDrivers} can be switched off`);
  return [...drivers].flatMap(offFor);
}

function offFor(driver: string): Settings {
  const set = (values: Readonly<Record<string, string>>): Settings => Object.entries(values).map(([key, value]) => [`${driver}.${key}`, value] as const);
  if (driver.startsWith('filter.')) return set({ clean: '', smudge: '', process: '', required: 'false' });
  if (driver.startsWith('merge.')) return set({ driver: 'false' });
  if (driver.startsWith('diff.')) return set({ command: '', textconv: '' });
  return set({ command: 'false', enabled: 'false' });
}
