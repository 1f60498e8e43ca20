/**
 * The room for the time after a command: refusals that its output names, and protected names that have appeared.
 *
 * It looks and moves files away. It decides nothing about a running box.
 */
import { existsSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JournalEvent } from '../audit/index.ts';
import type { LaunchOutcome, ProtectedPath } from '../backends/backend.ts';
import { scanProtected } from '../backends/launcher/launch.ts';
import { seccompFor } from '../backends/seccomp.ts';
import { HoldfastError } from '../errors/index.ts';
import type { GitTrace } from '../place/git-config/traces.ts';
import { failureError } from '../place/failures.ts';
import { type PlacePlan, templatePlan } from '../place/place-plan.ts';
import type { Place } from '../place/place.ts';
import { type Refusal, withNews, withoutDoubles } from '../place/refusals/refusal.ts';
import type { TrustGate } from '../place/shown-files.ts';
import type { DeniedProgram, Plan } from '../plan/types.ts';
import type { ExecRequest, PolicyRequest } from '../policy/request.ts';
import { coveredFiles, coveredLine } from './covered.ts';
import { extractRequests, guardRefusal, isNote } from './extract.ts';
import { pathsOfCommand } from './named-paths.ts';
import { type LeftBehind, quarantineAppeared, type Quarantined } from './quarantine/quarantine.ts';
import { traceLine, tracesOf } from './traces/traces.ts';
import { secretRefusals, withheldRequests } from './withheld-requests.ts';

/** The parts of a box's session that the aftermath needs. */
export interface AftermathSession {
  readonly id: string;
  readonly place: Place;
  readonly plan: PlacePlan;
  readonly gate: Pick<TrustGate, 'shown'>;
}

/** Leftovers of a box, and their journal events. */
export interface Aftermath {
  readonly refusals: readonly Refusal[];
  readonly quarantined: readonly Quarantined[];
  /** Lines for a person: files of programs outside that were covered, and traces of the command that act later. */
  readonly noticed: readonly string[];
  readonly events: readonly JournalEvent[];
  /** Thrown once the journal has it. */
  readonly error: HoldfastError | undefined;
}

export interface LookAroundOptions {
  readonly outcome: LaunchOutcome;
  /** Files of git that have changed since the command began. */
  readonly changed: readonly GitTrace[];
  /** Source of refusals: the command's output, or its arguments if nobody saw the output. */
  readonly source: 'output' | 'arguments';
}

/** Loaded only if a box printed to stderr, made protected names, or failed. */
export async function lookAround(
  session: AftermathSession,
  plan: Plan,
  { outcome, changed, source }: LookAroundOptions,
): Promise<Aftermath> {
  const { place } = session;
  const killed = outcome.failure?.stage === 'launcher killed';
  const found = killed ? await cleanAfterLauncher(plan, outcome, place.installation.launcher) : outcome.appeared;
  const appeared = plan.notify.kind === 'supervisor' ? await notLetThrough(session, found) : found;
  const { noted = [], refused = [] } = Object.groupBy(outcome.refused, (one) => (isNote(one) ? 'noted' : 'refused'));
  const traces = tracesOf({ changed, noted, plan, root: place.workspace.root });
  const unsafe = traces.unsafe.map((path) => Buffer.from(path));
  const { moved, left } = quarantineAppeared([...appeared, ...unsafe], {
    directory: join(place.paths.quarantine, session.id),
    roots: plan.protection.roots,
    gitDirectories: plan.protection.gitDirectories,
  });
  const guarded = await guardRefusals(session, refused);
  const told =
    source === 'output'
      ? await observeRefusals(session, outcome.stderrTail.toString(), {
          cwd: plan.command.cwd,
          hidden: hiddenIn(outcome),
        })
      : await argumentRefusals(session, plan, hiddenIn(outcome));
  const covered = coveredFiles(outcome.covered);
  const common = { session: session.id, workspace: place.workspace.root };
  const events = [
    ...guarded.map((refusal): JournalEvent => ({ type: 'refusal', ...common, observed: 'enforcement', ...refusal })),
    ...withNews(guarded, told)
      .slice(guarded.length)
      .map((refusal): JournalEvent => ({ type: 'refusal', ...common, observed: source, ...refusal })),
    ...covered.map((file): JournalEvent => ({ type: 'covered', ...common, ...file })),
    ...traces.told.map((trace): JournalEvent => ({ type: 'trace', ...common, ...trace })),
    ...moved.map((item): JournalEvent => ({ type: 'quarantine', ...common, ...item })),
    ...left.map(({ path, reason }): JournalEvent => ({ type: 'quarantine', ...common, path, movedTo: '', reason })),
  ];
  const failure = outcome.failure === undefined ? undefined : failureError(outcome.failure, plan.command.argv[0] ?? '');
  return {
    refusals: withNews(guarded, told),
    quarantined: moved,
    noticed: [...covered.map(coveredLine), ...traces.told.map(traceLine)],
    events,
    error: failure ?? (left.length > 0 ? leftBehind(left) : undefined),
  };
}

/**
 * Returns refusals by the policy, as far as a program's output tells. Loads the policy only if there is something to
 * ask.
 */
export async function observeRefusals(
  session: AftermathSession,
  output: string,
  { cwd, hidden = new Set() }: { readonly cwd: string; readonly hidden?: ReadonlySet<string> },
): Promise<readonly Refusal[]> {
  const { programs } = templatePlan(session.plan);
  const requests = [
    ...maskedRequests(output, programs),
    ...extractRequests(output, { cwd, home: session.place.home, exists: existsSync }),
  ];
  return withNews(
    await refusedRequests(session, requests),
    secretRefusals(requests, { hidden, copied: copiedIn(session) }),
  );
}

/** Returns new names and connections that the launcher refused during the run, as far as the policy refuses them. */
async function guardRefusals(session: AftermathSession, reports: readonly Buffer[]): Promise<readonly Refusal[]> {
  const calls = reports.map(guardRefusal);
  const refused = await refusedRequests(
    session,
    calls.map(({ request }) => request),
  );
  return refused.map((refusal) => {
    const program = calls.find(({ request }) => request === refusal.request)?.program;
    return program === undefined ? refusal : { ...refusal, program };
  });
}

/**
 * Leaves out names that a supervisor let appear: those under a rule that asks, redirects or stages. The launcher knows
 * more names than the policy (attack: a bare repository beside a rule about commands), so an allowed one stays.
 */
async function notLetThrough(session: AftermathSession, paths: readonly Buffer[]): Promise<readonly Buffer[]> {
  if (paths.length === 0) return [];
  const { policyOfPlace, refusedOf } = await import('../place/planner.ts');
  const policy = policyOfPlace(session.place);
  return paths.filter((path) => {
    const request: PolicyRequest = { kind: 'file', operation: 'create', path: path.toString() };
    return refusedOf(policy, [request], ['deny', 'allow', 'audit']).length > 0;
  });
}

/** Returns the reads of a command's arguments that the policy refuses. */
async function argumentRefusals(
  session: AftermathSession,
  { command }: Plan,
  hidden: ReadonlySet<string>,
): Promise<readonly Refusal[]> {
  const { home, workspace } = session.place;
  const options = { cwd: command.cwd, home, workspace: workspace.root, exists: existsSync };
  const requests = pathsOfCommand(command.argv, options);
  return withNews(
    await refusedRequests(session, requests),
    secretRefusals(requests, { hidden, copied: copiedIn(session) }),
  );
}

function copiedIn({ plan }: AftermathSession): ReadonlySet<string> {
  return new Set(plan.configuration.copies.map(({ mount }) => mount.target));
}

/** Files that the launcher hid by their names or their content. */
function hiddenIn({ protectedBefore }: LaunchOutcome): ReadonlySet<string> {
  return new Set(protectedBefore.flatMap(({ path, effect }) => (effect === 'hidden' ? [path.toString()] : [])));
}

async function refusedRequests(
  session: AftermathSession,
  requests: readonly PolicyRequest[],
): Promise<readonly Refusal[]> {
  if (requests.length === 0) return [];
  const { withheld, others } = withheldRequests(requests, {
    root: session.place.workspace.root,
    names: session.plan.withheld,
    approved: session.gate.shown().approved,
    exists: existsSync,
  });
  if (others.length === 0) return withoutDoubles(withheld);
  const { policyOfPlace, refusedOf } = await import('../place/planner.ts');
  return withoutDoubles([...withheld, ...refusedOf(policyOfPlace(session.place), others)]);
}

/** A protected file that appeared and is still there breaks a guarantee. */
function leftBehind(left: readonly LeftBehind[]): HoldfastError {
  return new HoldfastError(
    'HF_QUARANTINE_FAILED',
    `protected files appeared and could not be moved away: ${left.map(({ path }) => path).join(', ')}`,
    {
      remedy: 'look at them and remove them yourself before anything outside the box uses them',
      details: { left: left.map(({ path, reason }) => ({ path, reason })) },
      cause: left[0]?.cause,
    },
  );
}

const longestOutput = 65_536;
const longestLine = 4096;

/**
 * Returns the programs that a plan masks and that the output says could not start. A shell checks first that nobody may
 * execute such a file, so no supervisor hears of it.
 */
export function maskedRequests(output: string, programs: readonly DeniedProgram[]): readonly ExecRequest[] {
  const masked = programs.filter(({ held }) => held === 'mask');
  if (masked.length === 0) return [];
  const words = new Set(
    output
      .slice(-longestOutput)
      .split(/\r?\n/u)
      .flatMap((line) => namedIn(line.slice(-longestLine))),
  );
  return masked.flatMap(({ program, path }): readonly ExecRequest[] => {
    const shown = [baseName(program), baseName(path), path].find((name) => words.has(name));
    return shown === undefined ? [] : [{ kind: 'exec', program: path, argv: [baseName(program)], context: 'nested' }];
  });
}

/**
 * `sh: 1: git: Permission denied`, `make: git: Permission denied`, `[Errno 13] Permission denied: 'git'`, `spawn git
 * EACCES`.
 */
function namedIn(line: string): readonly string[] {
  return refusals.flatMap((pattern) => pattern.exec(line)?.[1] ?? []);
}

const refusals = [
  /(?:^|[\s'"‘“`])([^\s'"‘’“”`:]+)['"’”`]?: [Pp]ermission denied/u,
  /[Pp]ermission denied: ['"‘“`]?([^\s'"‘’“”`:]+)/u,
  /spawn ([^\s:]+) EACCES/u,
];

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

const patience = 5000;
const pause = 10;

/**
 * Does the work of a killed launcher: removes its control groups, and finds protected names that have appeared. The
 * kernel has ended the box with it.
 */
async function cleanAfterLauncher(plan: Plan, outcome: LaunchOutcome, launcher: string): Promise<readonly Buffer[]> {
  await untilGone(outcome.initPid, performance.now() + patience);
  for (const { directory } of plan.limits.cgroups) await removeGroup(directory, performance.now() + patience);
  const before = new Set(outcome.protectedBefore.map(keyOf));
  const after = await scanProtected(plan, { launcher, seccomp: seccompFor(plan) });
  return after.flatMap((name) => (before.has(keyOf(name)) ? [] : [name.path]));
}

function keyOf({ path, identity, born }: ProtectedPath): string {
  return `${identity} ${born} ${path.toString('latin1')}`;
}

/** The kernel kills the box with its launcher, but not at the same instant. The box's first process goes last. */
async function untilGone(pid: number, deadline: number): Promise<void> {
  if (pid === 0) return;
  const process = `/proc/${pid}`;
  while (existsSync(process) && performance.now() < deadline) await sleep(pause);
}

/** The kernel holds a group for a moment after its last process has ended. */
async function removeGroup(directory: string, deadline: number): Promise<void> {
  while (existsSync(directory)) {
    try {
      rmdirSync(directory);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EBUSY' || performance.now() > deadline) return;
      await sleep(pause);
    }
  }
}
