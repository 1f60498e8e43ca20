import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { holdFiles, holdsGitConfig } from './git-config/stamp.ts';
import { holdAbsences } from './host/absences.ts';
import { pathFacts } from './host/path-facts.ts';
import { holdsPrograms } from './host/program-facts.ts';
import { boxPath, type PlacePlan } from './place-plan.ts';
import type { Place } from './place.ts';

interface Remembered {
  readonly inputs: string;
  readonly plan: PlacePlan;
}

/**
 * Returns the plan of an earlier session if all its inputs are the same: Holdfast itself, the policy texts, the grants
 * and the host. The identity of every path that the policy names must be the same too.
 */
export function recallPlan(
  place: Place,
  environment: Readonly<Record<string, string | undefined>>,
): PlacePlan | undefined {
  const remembered = readRemembered(memoryFile(place));
  if (remembered?.inputs !== inputsOf(place)) return undefined;
  const { plan } = remembered;
  const known = new Set(plan.environment.known);
  if (!Object.keys(environment).every((name) => known.has(name))) return undefined;
  return holdAbsences(plan.absent) &&
    holdsPrograms(plan.programs, plan.programs.path === undefined ? '' : boxPath(plan.environment, environment)) &&
    holdsGitConfig(plan.gitConfig, environment) &&
    holdFiles(plan.configuration.looked) &&
    JSON.stringify([...pathFacts(plan.present).values()]) === plan.facts
    ? plan
    : undefined;
}

/** Most names of variables. Beyond that, there are more than any person has. */
const mostNames = 2000;

/**
 * Returns the variables that earlier plans of this place were made for. Otherwise two terminals with different
 * variables would each discard the other's plan.
 */
export function knownNames(place: Place): readonly string[] {
  const names = readRemembered(memoryFile(place))?.plan.environment.known ?? [];
  return names.length > mostNames ? [] : names;
}

/**
 * Call before a plan is made, because a plan remembers absent paths. Otherwise a user's second session would plan
 * again, since the first creates `~/.local`.
 */
export function makeRoomForPlans({ paths }: Pick<Place, 'paths'>): void {
  try {
    mkdirSync(plansIn(paths.state), { recursive: true, mode: 0o700 });
  } catch {
    // Then nothing is remembered, and the journal reports why nothing runs.
  }
}

/** Not remembering costs a few milliseconds next time, so an unwritable state directory is not a failure. */
export function rememberPlan(place: Place, plan: PlacePlan): void {
  makeRoomForPlans(place);
  const file = memoryFile(place);
  const fresh = `${file}.${process.pid}`;
  try {
    writeFileSync(fresh, textOf({ inputs: inputsOf(place), plan }), { mode: 0o600 });
    renameSync(fresh, file);
  } catch {
    if (existsSync(fresh)) rmSync(fresh);
  }
}

/** For a workspace that is deleted. */
export function forgetPlans({ paths, workspace }: Pick<Place, 'paths' | 'workspace'>): void {
  const directory = plansIn(paths.state);
  const begin = `${nameOf(workspace.root)}-`;
  try {
    for (const name of readdirSync(directory))
      if (name.startsWith(begin)) rmSync(join(directory, name), { force: true });
  } catch {
    // The directory is missing or not writable, so nothing was remembered.
  }
}

/** The file in which the launcher keeps the directories of the workspace that it saw. */
export function seenFile(place: Place): string {
  return memoryFile(place).replace(/json$/u, 'seen');
}

const longestName = 200;

function memoryFile(place: Place): string {
  return join(
    plansIn(place.paths.state),
    `${nameOf(place.workspace.root)}-${shortHash(JSON.stringify([place.grants, place.backend, place.sources.map(({ file, text }) => [file, text.length])]))}.json`,
  );
}

function plansIn(state: string): string {
  return join(state, 'plans');
}

function nameOf(root: string): string {
  return Buffer.from(root).toString('base64url').slice(-longestName);
}

/**
 * One of 4096 names, one for each combination of options in a workspace, so that they do not overwrite each other's
 * plan. FNV-1a.
 */
function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return ((hash >>> 0) % 4096).toString(16).padStart(3, '0');
}

function inputsOf(place: Place): string {
  const { workspace, installation, ...rest } = place;
  const { root, gitDirectories } = workspace;
  const versions = [installation.launcher, installation.code].map((file) => {
    const stats = statSync(file);
    return [file, stats.size, stats.mtimeMs, stats.ino];
  });
  return JSON.stringify([versions, installation, root, gitDirectories, rest]);
}

function readRemembered(file: string): Remembered | undefined {
  try {
    return understood(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Returns a line of JSON, then the names of the plan unparsed. They are most of the text, and few readers need them.
 */
function textOf({ inputs, plan: { names, ...plan } }: Remembered): string {
  return `${JSON.stringify({ inputs, plan, size: names.length })}\n${names}`;
}

function parse(text: string): Remembered | undefined {
  const end = text.indexOf('\n');
  const { inputs, plan, size } = JSON.parse(text.slice(0, end)) as {
    readonly inputs?: unknown;
    readonly plan?: Omit<PlacePlan, 'names'>;
    readonly size?: unknown;
  };
  const names = text.slice(end + 1);
  return typeof inputs === 'string' && plan !== undefined && size === names.length
    ? { inputs, plan: { ...plan, names } }
    : undefined;
}

/** Cached, because a supervisor reads the same text for every run. Throws `SyntaxError` for invalid JSON. */
function understood(text: string): Remembered | undefined {
  return parsed(text, () => parse(text));
}

const parsed = recently<Remembered | undefined>(8);

/**
 * Caches the values of the last few keys, for a process that gets the same question again and again. A value must
 * depend on its key alone.
 */
export function recently<Value>(most: number): (key: string, make: () => Value) => Value {
  const kept = new Map<string, Value>();
  return (key, make) => {
    const known = kept.get(key);
    if (known !== undefined) return known;
    const value = make();
    const [oldest] = kept.keys();
    if (kept.size >= most && oldest !== undefined) kept.delete(oldest);
    kept.set(key, value);
    return value;
  };
}
