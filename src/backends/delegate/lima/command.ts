import * as v from 'valibot';
import { HoldfastError } from '../../../errors/index.ts';
import {
  pathWithin,
  type DelegatedCommand,
  type DelegatedRun,
  guestPath,
  guestWords,
  isDelegatedPath,
  type Mapped,
  unmapped,
} from '../run.ts';

export interface LimaGuest {
  readonly kind: 'lima';
  readonly limactl: string;
  readonly instance: LimaInstance;
  /** Home directory of the host's user, for `~` in a mount. */
  readonly home: string;
}

/**
 * `limactl shell` quotes each argument for a POSIX shell, joins the arguments, and lets the guest's login shell run the
 * line over ssh. The arguments therefore arrive unchanged. Two facts matter here. In a leading argument with `=`, the
 * name before it is not quoted, so the first argument is always the program's name. And limactl offers to start a
 * stopped instance, so only a running one is used.
 *
 * Source: cmd/limactl/shell.go of Lima. Throws `HF_BACKEND_MISSING`, `HF_PATH_UNREPRESENTABLE`, `HF_USAGE`.
 */
export function limaRun(run: DelegatedRun, guest: LimaGuest): DelegatedCommand {
  if (Object.keys(run.environment).length > 0)
    throw new HoldfastError(
      'HF_USAGE',
      `Lima carries no environment into the guest: ${Object.keys(run.environment).join(', ')}`,
      { remedy: 'leave --env out, or set the variable in the guest' },
    );
  const map = (path: string) => toLimaGuest(path, guest.instance.mounts, guest.home);
  return limaCommand(guest, guestPath(run.cwd, 'writable', map), guestWords(run, map));
}

/** Returns a command of the guest. The first argument may not contain `=`. */
export function limaCommand(
  { limactl, instance, home }: LimaGuest,
  directory: string,
  words: readonly string[],
): DelegatedCommand {
  if (instance.status !== 'Running')
    throw new HoldfastError(
      'HF_BACKEND_MISSING',
      `the Lima instance ${instance.name} is not running (${JSON.stringify(instance.status)})`,
      { remedy: `run \`limactl start ${instance.name}\`` },
    );
  return {
    program: limactl,
    arguments: ['shell', '--workdir', directory, instance.name, ...words],
    environment: limaEnvironment(home),
  };
}

/**
 * Passes on none of the variables that limactl obeys. `PATH` decides which ssh it runs, and `SSH` can replace the whole
 * ssh command line. `LIMA_HOME` decides which instances it finds, and an ssh configuration in that directory may name
 * programs.
 */
export function limaEnvironment(home: string): Readonly<Record<string, string>> {
  return { HOME: home, PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LANG: 'C.UTF-8', TERM: 'xterm-256color' };
}

interface Shared {
  readonly host: string;
  readonly guest: string;
  readonly access: 'writable' | 'read-only';
}

/** Maps a host path to the guest, through the longest shared location. Pure: the caller resolves symlinks. */
export function toLimaGuest(path: string, mounts: readonly LimaMount[], home: string): Mapped {
  if (!isDelegatedPath(path)) return unmapped('it is not an absolute path in its plain form');
  const shared = sharedOf(mounts, home);
  const found = longest(path, shared, 'host');
  if (found === undefined) return unmapped('no mount of the instance has it');
  const there = join(found.guest, pathWithin(found.host, path) ?? '');
  // Another mount of the guest over this path shows something else.
  return longest(there, shared, 'guest') === found
    ? { kind: 'mapped', path: there, access: found.access }
    : unmapped('another mount of the instance hides it');
}

/** If two mounts have the same path, the later one is visible. */
function longest(path: string, shared: readonly Shared[], side: 'host' | 'guest'): Shared | undefined {
  return shared
    .filter((one) => pathWithin(one[side], path) !== undefined)
    .toSorted((a, b) => a[side].length - b[side].length)
    .at(-1);
}

/** Locations that are not plain paths, such as templates and relative paths, share nothing. */
function sharedOf(mounts: readonly LimaMount[], home: string): readonly Shared[] {
  return mounts.flatMap(({ location, mountPoint, writable }): readonly Shared[] => {
    const host = plain(location, home);
    const guest = mountPoint === undefined || mountPoint === '' ? host : plain(mountPoint, '');
    return host === undefined || guest === undefined
      ? []
      : [{ host, guest, access: writable === true ? 'writable' : 'read-only' }];
  });
}

function plain(path: string, home: string): string | undefined {
  const whole = path === '~' || path.startsWith('~/') ? `${home}${path.slice(1)}` : path;
  const trimmed = whole.length > 1 ? whole.replace(/\/$/u, '') : whole;
  return isDelegatedPath(trimmed) ? trimmed : undefined;
}

function join(directory: string, rest: string): string {
  if (directory === '/') return rest === '' ? '/' : rest;
  return `${directory}${rest}`;
}

/** Fields of `limactl list --json`. */
interface LimaInstance {
  readonly name: string;
  /** For example `Running`, `Stopped` or `Broken`. */
  readonly status: string;
  readonly mounts: readonly LimaMount[];
}

interface LimaMount {
  /** Directory of the host; `~` is the user's home directory. */
  readonly location: string;
  /** Directory of the guest. Default: the same path. */
  readonly mountPoint?: string | undefined;
  readonly writable?: boolean | null | undefined;
}

const mount = v.object({ location: v.string(), mountPoint: v.optional(v.string()), writable: v.nullish(v.boolean()) });
const instance = v.object({
  name: v.string(),
  status: v.string(),
  config: v.optional(v.object({ mounts: v.nullish(v.array(mount)) })),
});

/** Accepted instance names. Lima's own rule is narrower. A leading dash would make the name an option of limactl. */
const nameShape = /^[a-zA-Z0-9][a-zA-Z0-9._-]{0,127}$/u;
const mostLines = 1000;

/** Parses one object per line. Leaves out invalid lines, and instances with another structure or an odd name. */
export function parseInstances(text: string): readonly LimaInstance[] {
  return text.split('\n', mostLines).flatMap((line) => {
    const parsed = v.safeParse(instance, parseJson(line));
    if (!parsed.success || !nameShape.test(parsed.output.name)) return [];
    const { name, status, config } = parsed.output;
    return [{ name, status, mounts: config?.mounts ?? [] }];
  });
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
