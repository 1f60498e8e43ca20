import { accessSync, constants, statSync } from 'node:fs';
import { basename, isAbsolute, join } from 'node:path';
import type { ProgramEnd } from './run-program.ts';
import type { SourceAnswer, SourceFailure, ProgramContext } from './types.ts';
import { visitedPlaces } from '../../kernel/visited-places.ts';
import { anyWithin } from './read-host-file.ts';

export interface ProgramQuestion {
  readonly program: string;
  readonly words: readonly string[];
  readonly input?: string;
  /** Milliseconds to wait for the answer. */
  readonly timeout: number;
  /** Remedy after a failure, in one line. */
  readonly remedy: string;
  /** Exit statuses that mean a missing secret. Default: none. */
  readonly missing?: readonly number[];
}

/** Returns a program's answer. A failure is described by its exit status, never in the program's own words. */
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

/** Names, or beginnings of names, which end with `*`. */
type Names = readonly string[];

/** Variables that name the user and the user's directories, or lead to a keyring or a desktop agent. */
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
 * Further variables for single programs, by the program's file name. Some hold the key to a password manager, so no
 * other program gets them. Sources: 1Password CLI "Environment variables", Bitwarden CLI "Session", Vault "Environment
 * variables", and the manuals of the others.
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

/** Returns the whole environment of a source's program: only variables that it needs to find its user. */
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

/** Returns a program's output as the secret, without the final line break. */
export function oneLineAnswer(text: string): SourceAnswer {
  return { kind: 'answer', value: text.replace(/\r?\n$/u, ''), fields: {} };
}

interface FoundProgram {
  readonly kind: 'found';
  readonly path: string;
}

/**
 * Finds the program of a source: an absolute path, or a name in `PATH`. Skips programs that a box could have placed
 * there, directly or through a symlink in the path, because they would run outside every box.
 */
export function findProgram(
  name: string,
  context: Pick<ProgramContext, 'environment' | 'writableRoots'>,
): FoundProgram | SourceFailure {
  if (name === '' || name.includes('\0'))
    return failure(
      `${JSON.stringify(name)} is not the name of a program`,
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
      'install it outside the workspace: anyone who changes it there would get the secret',
    );
  return failure(`there is no program ${name}`, 'install it, or name it by its absolute path');
}

/**
 * Returns the `PATH` with which the program finds its own helpers. Drops relative entries and entries that a box can
 * write.
 */
export function trustedPath({
  environment,
  writableRoots,
}: Pick<ProgramContext, 'environment' | 'writableRoots'>): string {
  return absoluteEntries(environment['PATH'])
    .filter((entry) => isTrusted(entry, writableRoots))
    .join(':');
}

/** A missing path may be created later, so its text decides. */
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
    // Anyone who can write the file decides which program runs here.
    return anyWithin(places, writableRoots) || (stats.mode & 0o002) !== 0 ? 'writable' : 'good';
  } catch {
    return 'none';
  }
}

function failure(why: string, remedy: string): SourceFailure {
  return { kind: 'unavailable', why, remedy };
}
