import { accessSync, constants, statSync } from 'node:fs';
import { basename, isAbsolute, join } from 'node:path';
import type { ProgramEnd } from './run-program.ts';
import type { SourceAnswer, SourceFailure, ProgramContext } from './types.ts';
import { anyWithin, visitedPlaces } from './read-host-file.ts';

export interface ProgramQuestion {
  readonly program: string;
  readonly words: readonly string[];
  readonly input?: string;
  /** Milliseconds. */
  readonly timeout: number;
  /** What to try where it fails, in one line. */
  readonly remedy: string;
  /** Exit statuses that say that there is no such secret. Default: none. */
  readonly missing?: readonly number[];
}

/** What a program says, or why it says nothing: by its exit status, never by a word of its own. */
export async function askProgram(
  { program, words, input, timeout, remedy, missing = [] }: ProgramQuestion,
  context: ProgramContext,
): Promise<{ readonly kind: 'output'; readonly text: string } | SourceFailure> {
  const found = findProgram(program, context);
  if (found.kind !== 'found') return found;
  const end = await context.runner({
    path: found.path,
    words,
    environment: programEnvironment(program, context),
    timeout,
    signal: context.signal,
    ...(input === undefined ? {} : { input }),
  });
  if (end.kind === 'output') return end;
  const kind = end.kind === 'status' && missing.includes(end.status) ? 'missing' : 'unavailable';
  return { kind, why: `${program} ${howItEnded(end, timeout)}`, remedy };
}

function howItEnded(end: Exclude<ProgramEnd, { readonly kind: 'output' }>, timeout: number): string {
  switch (end.kind) {
    case 'status':
      return `failed with exit status ${end.status}`;
    case 'signal':
      return `was ended by ${end.signal}`;
    case 'not-started':
      return `could not be started: ${end.code}`;
    case 'time-out':
      return `gave no answer within ${timeout / 1000} seconds`;
    case 'too-long':
      return 'answered with more than 64 KiB';
    case 'not-text':
      return 'answered with something that is not UTF-8';
    case 'aborted':
      return 'was stopped, because the session has ended';
  }
}

/** Names, and beginnings of names that end with `*`. */
type Names = readonly string[];

/** Who the user is, where their things are, and how a keyring or an agent of the desktop is reached. */
const everybody: Names = [
  'HOME',
  'USER',
  'LOGNAME',
  'LANG',
  'LANGUAGE',
  'LC_*',
  'TZ',
  'TMPDIR',
  'XDG_*',
  'DBUS_SESSION_BUS_ADDRESS',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'SSH_AUTH_SOCK',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
];

/**
 * What single programs read besides, by their file names. Some hold the key to a password manager, so no other program
 * gets them. Sources: 1Password CLI "Environment variables", Bitwarden CLI "Session", Vault "Environment variables",
 * and the manuals of the others.
 */
const single: ReadonlyMap<string, Names> = new Map([
  ['op', ['OP_*']],
  ['bw', ['BW_SESSION', 'BITWARDENCLI_APPDATA_DIR', 'NODE_EXTRA_CA_CERTS']],
  ['vault', ['VAULT_*']],
  ['gh', ['GH_CONFIG_DIR', 'GH_HOST']],
  ['glab', ['GLAB_CONFIG_DIR', 'GITLAB_HOST']],
  [
    'aws',
    [
      'AWS_PROFILE',
      'AWS_DEFAULT_PROFILE',
      'AWS_REGION',
      'AWS_DEFAULT_REGION',
      'AWS_CONFIG_FILE',
      'AWS_SHARED_CREDENTIALS_FILE',
    ],
  ],
  ['gcloud', ['CLOUDSDK_CONFIG', 'CLOUDSDK_ACTIVE_CONFIG_NAME']],
  ['az', ['AZURE_CONFIG_DIR']],
  ['kubectl', ['KUBECONFIG']],
  ['pass', ['PASSWORD_STORE_DIR', 'PASSWORD_STORE_KEY', 'GNUPGHOME']],
  ['gopass', ['GOPASS_CONFIG', 'PASSWORD_STORE_DIR', 'GNUPGHOME']],
  ['gpg', ['GNUPGHOME']],
]);

/**
 * The whole environment of a source's program: what it needs to find its user, and nothing that is only lying around.
 */
export function programEnvironment(
  program: string,
  context: Pick<ProgramContext, 'environment' | 'writableRoots'>,
): Readonly<Record<string, string>> {
  const names = [...everybody, ...(single.get(basename(program)) ?? [])];
  const taken = Object.entries(context.environment).flatMap(([name, value]) =>
    value !== undefined && names.some((pattern) => matches(pattern, name)) ? [[name, value] as const] : [],
  );
  return { ...Object.fromEntries(taken), PATH: trustedPath(context) };
}

function matches(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

/** What a program printed is the secret, without the line break that ends the last line. */
export function oneLineAnswer(text: string): SourceAnswer {
  return { kind: 'answer', value: text.replace(/\r?\n$/u, ''), fields: {} };
}

interface FoundProgram {
  readonly kind: 'found';
  readonly path: string;
}

/**
 * The program that a source names: an absolute path, or a name that is looked up in `PATH`. What a box could have put
 * there, directly or through a symlink on the way, is passed over: it would run outside of every box.
 */
export function findProgram(
  name: string,
  context: Pick<ProgramContext, 'environment' | 'writableRoots'>,
): FoundProgram | SourceFailure {
  if (name === '' || name.includes('\0'))
    return failure(
      `${JSON.stringify(name)} names no program`,
      'name a program by its absolute path, or by a name in PATH',
    );
  if (name.includes('/') && !isAbsolute(name))
    return failure(`the program ${name} has a relative path`, 'name it by its absolute path, or by a name in PATH');
  const candidates = isAbsolute(name)
    ? [name]
    : absoluteEntries(context.environment['PATH']).map((entry) => join(entry, name));
  const states = candidates.map((path) => ({ path, state: stateOf(path, context.writableRoots) }));
  const found = states.find(({ state }) => state === 'good');
  if (found !== undefined) return { kind: 'found', path: found.path };
  if (states.some(({ state }) => state === 'writable'))
    return failure(
      `the program ${name} is where a box can write`,
      'install it outside of the workspace: anyone who changes it there would get the secret',
    );
  return failure(`there is no program ${name}`, 'install it, or name it by its absolute path');
}

/**
 * `PATH` for the program: without entries that are relative or that a box can write to, in which its own helpers would
 * be looked up.
 */
export function trustedPath({
  environment,
  writableRoots,
}: Pick<ProgramContext, 'environment' | 'writableRoots'>): string {
  return absoluteEntries(environment['PATH'])
    .filter((entry) => isTrusted(entry, writableRoots))
    .join(':');
}

/** What is not there yet may be made, so its text decides. */
function isTrusted(entry: string, writableRoots: readonly string[]): boolean {
  try {
    return !anyWithin([entry, ...(visitedPlaces(entry) ?? [])], writableRoots);
  } catch {
    return false;
  }
}

function absoluteEntries(path: string | undefined): readonly string[] {
  return (path ?? '').split(':').filter((entry) => isAbsolute(entry));
}

function stateOf(path: string, writableRoots: readonly string[]): 'good' | 'writable' | 'none' {
  try {
    const places = visitedPlaces(path);
    const stats = statSync(path);
    if (places === undefined || !stats.isFile()) return 'none';
    accessSync(path, constants.X_OK);
    // Anyone who may write to it decides what runs here.
    return anyWithin(places, writableRoots) || (stats.mode & 0o002) !== 0 ? 'writable' : 'good';
  } catch {
    return 'none';
  }
}

function failure(why: string, remedy: string): SourceFailure {
  return { kind: 'unavailable', why, remedy };
}
