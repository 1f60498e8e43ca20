import { HoldfastError } from '../../../errors/index.ts';
import {
  type DelegatedCommand,
  type DelegatedRun,
  guestPath,
  guestWords,
  isDelegatedPath,
  type Mapped,
  unmapped,
} from '../run.ts';

export interface WslGuest {
  readonly kind: 'wsl2';
  readonly wsl: string;
  readonly distribution: WslDistribution;
  readonly automount: WslPlaces['automount'];
  /** Variables that wsl.exe itself needs, such as SystemRoot. */
  readonly own: Readonly<Record<string, string>>;
}

/** Throws `HF_BACKEND_MISSING`, `HF_PATH_UNREPRESENTABLE`, `HF_USAGE`. */
export function wslRun(run: DelegatedRun, guest: WslGuest): DelegatedCommand {
  const map = (path: string) => toWslGuest(path, { distribution: guest.distribution.name, automount: guest.automount });
  return {
    ...wslCommand(guest, guestPath(run.cwd, 'writable', map), guestWords(run, map)),
    environment: wslEnvironment(run.environment, guest.own),
  };
}

/**
 * `--exec` runs the arguments without a shell. wsl.exe splits its command line as CommandLineToArgvW does, and Node
 * quotes accordingly. The arguments before `--exec` differ: wsl.exe keeps the quotes around the distribution's name,
 * and strips only the outer quotes of the directory. So neither may contain a character that needs escaping. Source:
 * src/windows/common/WslClient.cpp of WSL.
 */
export function wslCommand(
  { wsl, distribution, own }: WslGuest,
  directory: string,
  words: readonly string[],
): DelegatedCommand {
  if (distribution.version !== 2)
    throw new HoldfastError(
      'HF_BACKEND_MISSING',
      `the distribution ${distribution.name} uses WSL 1, which has no Linux kernel`,
      { remedy: `run \`wsl --set-version ${distribution.name} 2\`` },
    );
  if (/["\\]/u.test(directory))
    throw new HoldfastError(
      'HF_PATH_UNREPRESENTABLE',
      `wsl.exe cannot be given the directory ${JSON.stringify(directory)}`,
      { remedy: 'use a directory without quotes and backslashes in its path' },
    );
  return {
    program: wsl,
    arguments: ['--distribution', distribution.name, '--cd', directory, '--exec', ...words],
    environment: wslEnvironment({}, own),
  };
}

interface WslPlaces {
  readonly distribution: string;
  readonly automount: Automount;
}

/** Names of Windows devices, with any extension. */
const devices = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\..*)?$/iu;
// eslint-disable-next-line no-control-regex
const forbidden = /[<>:"|?*\u0000-\u001f\\/]/u;

/**
 * Maps a Windows path to a path in the distribution. `C:\a b` is below the automount root. `\\wsl$\NAME\home` and
 * `\\wsl.localhost\NAME\home` are paths of the distribution itself. Other servers are not mapped. Neither is any
 * spelling that Windows rewrites: `.`, `..`, trailing dots and blanks, streams, devices, and paths relative to a
 * current drive.
 */
export function toWslGuest(path: string, { distribution, automount }: WslPlaces): Mapped {
  const spelled = path.replaceAll('/', '\\');
  const drive = /^(?:\\\\\?\\)?([a-zA-Z]):(\\.*)$/su.exec(spelled);
  if (drive !== null)
    return automount.kind === 'none'
      ? unmapped('the distribution does not mount the drives of Windows')
      : joined(`${automount.root}/${(drive[1] ?? '').toLowerCase()}`, drive[2] ?? '');
  const share = /^\\\\(?:wsl\$|wsl\.localhost)\\([^\\]+)(\\.*)?$/isu.exec(spelled);
  if (share === null)
    return unmapped(
      spelled.startsWith('\\\\') ? 'it is on another computer, or no path of a file' : 'it is not an absolute path',
    );
  return (share[1] ?? '').toLowerCase() === distribution.toLowerCase()
    ? joined('', share[2] ?? '')
    : unmapped('it belongs to another distribution');
}

function joined(root: string, rest: string): Mapped {
  const names = namesIn(rest);
  if (names === undefined) return unmapped('Windows does not accept it in this form');
  return { kind: 'mapped', path: `${root}${names.map((name) => `/${name}`).join('')}` || '/', access: 'writable' };
}

/** Splits `\a\b\` into names. */
function namesIn(rest: string): readonly string[] | undefined {
  const names = rest.split('\\').slice(1);
  const whole = names.at(-1) === '' ? names.slice(0, -1) : names;
  return whole.every(isPlainName) ? whole : undefined;
}

function isPlainName(name: string): boolean {
  return name !== '' && !/[. ]$/u.test(name) && !forbidden.test(name) && !devices.test(name);
}

const nameShape = /^[A-Za-z_][A-Za-z0-9_]*$/u;
/**
 * Variables that the guest's Holdfast, its Node and its dynamic loader read. If passed on, they would take effect
 * before any box exists.
 */
const steering =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|ENV|BASH_ENV|TMPDIR|(?:LD|NODE|XDG|GIT|SSL|OPENSSL|GCONV|HOLDFAST)_.*)$/iu;

/**
 * Returns the environment of wsl.exe. `WSLENV` names exactly the given variables, from Windows to Linux only (`/u`),
 * unchanged. The user's own `WSLENV` would pass on others, so it is replaced. Throws `HF_USAGE` for a name that would
 * change the list, and for a variable that affects more than the command.
 */
export function wslEnvironment(
  variables: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const names = Object.keys(variables);
  const taken = new Set([...Object.keys(own), 'WSLENV', 'WSL_UTF8'].map((name) => name.toUpperCase()));
  const odd = names.find((name) => !nameShape.test(name) || steering.test(name) || taken.has(name.toUpperCase()));
  if (odd !== undefined)
    throw new HoldfastError('HF_USAGE', `the variable ${JSON.stringify(odd)} cannot be carried into WSL`, {
      remedy: 'give it another name',
    });
  return { ...own, WSL_UTF8: '1', ...variables, WSLENV: names.map((name) => `${name}/u`).join(':') };
}

/**
 * The mount point of the Windows drives in a distribution, without a trailing slash. `none`: the distribution does not
 * mount them.
 */
type Automount = { readonly kind: 'at'; readonly root: string } | { readonly kind: 'none' };

/**
 * Reads `[automount]` of `/etc/wsl.conf`. Without that file, the text is empty. A root that is not a plain path counts
 * as `none`.
 */
export function parseAutomount(text: string): Automount {
  const settings = settingsOf(text, 'automount');
  if (settings.get('enabled')?.toLowerCase() === 'false') return { kind: 'none' };
  const root = (settings.get('root') ?? '/mnt/').replace(/\/$/u, '');
  return root === '' || isDelegatedPath(root) ? { kind: 'at', root } : { kind: 'none' };
}

function settingsOf(text: string, wanted: string): ReadonlyMap<string, string> {
  const settings = new Map<string, string>();
  let section = '';
  for (const line of text.split('\n')) {
    const trimmed = line.trim();
    if (trimmed.startsWith('[') && trimmed.endsWith(']')) section = trimmed.slice(1, -1).trim().toLowerCase();
    const at = trimmed.indexOf('=');
    if (section !== wanted || at === -1 || trimmed.startsWith('#')) continue;
    settings.set(trimmed.slice(0, at).trim().toLowerCase(), unquoted(trimmed.slice(at + 1).trim()));
  }
  return settings;
}

function unquoted(value: string): string {
  return value.length >= 2 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
}

interface WslDistribution {
  readonly name: string;
  readonly version: 1 | 2;
  readonly isDefault: boolean;
}

/**
 * Decodes output of wsl.exe: UTF-16LE, or UTF-8 if it supports `WSL_UTF8`, each with or without a byte order mark.
 * Never throws.
 */
export function decodeWslOutput(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const isWide =
    (first === 0xff && second === 0xfe) || bytes.subarray(0, 256).some((byte, at) => byte === 0 && at % 2 === 1);
  return new TextDecoder(isWide ? 'utf-16le' : 'utf-8').decode(bytes);
}

/** WSL itself allows no other names, so any other name does not come from WSL. */
const wslNameShape = /^[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}$/u;
const mostLines = 1000;

/**
 * Parses the table of `wsl.exe --list --verbose`: a mark, the name, the state and the version. The heading and the
 * states are localised, so only the form of a line counts.
 */
export function parseDistributions(text: string): readonly WslDistribution[] {
  return text.split(/\r?\n/u, mostLines).flatMap((line): readonly WslDistribution[] => {
    const words = line.trim().split(/\s+/u);
    const isDefault = words[0] === '*';
    const [name = '', ...rest] = isDefault ? words.slice(1) : words;
    const version = rest.at(-1);
    return rest.length >= 2 && wslNameShape.test(name) && (version === '1' || version === '2')
      ? [{ name, version: version === '1' ? 1 : 2, isDefault }]
      : [];
  });
}
