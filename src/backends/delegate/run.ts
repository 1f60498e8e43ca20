import { HoldfastError } from '../../errors/index.ts';

/** An option of `holdfast run`. The value of a `path` is a path of the host, which is mapped to a path of the guest. */
export type DelegatedOption =
  | { readonly kind: 'flag'; readonly name: string }
  | { readonly kind: 'text'; readonly name: string; readonly value: string }
  | { readonly kind: 'path'; readonly name: string; readonly value: string; readonly needs: 'writable' | 'read-only' };

/** The run `holdfast run OPTIONS -- COMMAND`, as requested on the host. */
export interface DelegatedRun {
  /** Absolute path without symlinks. */
  readonly cwd: string;
  readonly options: readonly DelegatedOption[];
  /** Never mapped, because only the command knows the meaning of its arguments. */
  readonly argv: readonly string[];
  /** Variables for the guest's Holdfast. It passes on those that the guest's policy and `--env` allow. */
  readonly environment: Readonly<Record<string, string>>;
}

/** A program of the host with its arguments, always as an array and never as a line for a shell. */
export interface DelegatedCommand {
  readonly program: string;
  readonly arguments: readonly string[];
  /** The whole environment. */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Returns the arguments of the guest's command line. Values follow `=`, so that none is read as an option. Throws
 * `HF_PATH_UNREPRESENTABLE` for a path that the guest lacks, and `HF_USAGE` for an argument that cannot be passed to a
 * process.
 */
export function guestWords(run: DelegatedRun, map: (path: string) => Mapped): readonly string[] {
  const words = ['holdfast', 'run', ...run.options.map((option) => optionWord(option, map)), '--', ...run.argv];
  if (words.some((word) => word.includes('\0')))
    throw new HoldfastError('HF_USAGE', 'an argument of the command contains a NUL', { remedy: 'leave it out' });
  return words;
}

function optionWord(option: DelegatedOption, map: (path: string) => Mapped): string {
  switch (option.kind) {
    case 'flag':
      return `--${option.name}`;
    case 'text':
      return `--${option.name}=${option.value}`;
    case 'path':
      return `--${option.name}=${guestPath(option.value, option.needs, map)}`;
  }
}

/** Throws `HF_PATH_UNREPRESENTABLE`. */
export function guestPath(path: string, needs: 'writable' | 'read-only', map: (path: string) => Mapped): string {
  const mapped = map(path);
  if (mapped.kind === 'unmapped')
    throw new HoldfastError(
      'HF_PATH_UNREPRESENTABLE',
      `${JSON.stringify(path)} does not exist in the guest: ${mapped.reason}`,
      { remedy: 'share the directory with the guest, or work in one that is shared' },
    );
  if (needs === 'writable' && mapped.access === 'read-only')
    throw new HoldfastError('HF_PATH_UNREPRESENTABLE', `${JSON.stringify(path)} is read-only in the guest`, {
      remedy: 'mount it with `writable: true`, or work in a directory that is mounted so',
    });
  return mapped.path;
}

/** A path of the host mapped to a guest, or the reverse. */
export type Mapped =
  | { readonly kind: 'mapped'; readonly path: string; readonly access: 'writable' | 'read-only' }
  | { readonly kind: 'unmapped'; readonly reason: string };

export function unmapped(reason: string): Mapped {
  return { kind: 'unmapped', reason };
}

/**
 * Whether a path is an absolute POSIX path without `.`, `..`, NUL, doubled or trailing slashes. Only this spelling is
 * mapped.
 */
export function isDelegatedPath(path: string): boolean {
  if (path === '/') return true;
  if (!path.startsWith('/') || path.includes('\0')) return false;
  return path
    .slice(1)
    .split('/')
    .every((part) => part !== '' && part !== '.' && part !== '..');
}

/** Returns the rest of a path below a directory, with a leading slash. Empty for the directory itself. */
export function pathWithin(directory: string, path: string): string | undefined {
  if (directory === '/') return path === '/' ? '' : path;
  if (path === directory) return '';
  return path.startsWith(`${directory}/`) ? path.slice(directory.length) : undefined;
}
