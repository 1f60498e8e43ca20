import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { JournalEvent } from '../audit/index.ts';
import type { LaunchOutcome } from '../backends/index.ts';
import { HoldfastError } from '../errors/index.ts';
import type { Plan } from '../plan/index.ts';
import { templatePlan } from './place-plan.ts';
import { cleanAfterLauncher } from './after-launcher.ts';
import { failureError } from './failures.ts';
import { quarantineAppeared, type LeftBehind, type Quarantined } from './quarantine/quarantine.ts';
import type { PolicyRequest } from '../policy/index.ts';
import { extractRequests } from './refusals/extract.ts';
import { maskedRequests } from './refusals/masked-programs.ts';
import { namedPaths } from './refusals/named-paths.ts';
import { withNews, withoutDoubles, type Refusal } from './refusals/refusal.ts';
import { withheldRequests } from './refusals/withheld-requests.ts';
import type { Session } from './session.ts';

/** What a box leaves behind to deal with, and what the journal says of it. */
export interface Aftermath {
  readonly refusals: readonly Refusal[];
  readonly quarantined: readonly Quarantined[];
  readonly events: readonly JournalEvent[];
  /** Thrown once the journal has it. */
  readonly error: HoldfastError | undefined;
}

export interface LookAroundOptions {
  readonly outcome: LaunchOutcome;
  /** What tells of refusals: what the command printed, or, when nobody heard that, what it was told to do. */
  readonly source: 'output' | 'arguments';
}

/** Loaded only when a box printed something to stderr, made protected names, or failed. */
export async function lookAround(session: Session, plan: Plan, { outcome, source }: LookAroundOptions): Promise<Aftermath> {
  const { place } = session;
  const killed = outcome.failure?.stage === 'launcher killed';
  const found = killed ? await cleanAfterLauncher(plan, outcome, place.installation.launcher) : outcome.appeared;
  const appeared = plan.notify.kind === 'supervisor' ? await stillRefused(session, found) : found;
  const { moved, left } = quarantineAppeared(appeared, { directory: join(place.paths.quarantine, session.id), roots: plan.protection.roots, gitDirectories: plan.protection.gitDirectories });
  const guarded = await guardRefusals(session, outcome.refused);
  const told = source === 'output' ? await observeRefusals(session, outcome.stderrTail.toString(), plan.command.cwd) : await argumentRefusals(session, plan);
  const common = { session: session.id, workspace: place.workspace.root };
  const events = [
    ...guarded.map((refusal): JournalEvent => ({ type: 'refusal', ...common, observed: 'enforcement', ...refusal })),
    ...withNews(guarded, told).slice(guarded.length).map((refusal): JournalEvent => ({ type: 'refusal', ...common, observed: source, ...refusal })),
    ...moved.map((item): JournalEvent => ({ type: 'quarantine', ...common, ...item })),
    ...left.map(({ path, reason }): JournalEvent => ({ type: 'quarantine', ...common, path, movedTo: '', reason })),
  ];
  const failure = outcome.failure === undefined ? undefined : failureError(outcome.failure, plan.command.argv[0] ?? '');
  return { refusals: withNews(guarded, told), quarantined: moved, events, error: failure ?? (left.length > 0 ? leftBehind(left) : undefined) };
}

/** What the policy refused, as far as a program's output tells. The policy is loaded only when there is something to ask. */
export async function observeRefusals(session: Session, output: string, cwd: string): Promise<readonly Refusal[]> {
  const { programs } = templatePlan(session.plan);
  return refusedRequests(session, [...maskedRequests(output, programs), ...extractRequests(output, { cwd, home: session.place.home, exists: existsSync })]);
}

/** New names that the launcher refused while the box ran. */
async function guardRefusals(session: Session, paths: readonly Buffer[]): Promise<readonly Refusal[]> {
  return refusedRequests(session, paths.map((path) => ({ kind: 'file', operation: 'create', path: path.toString() })));
}

/** Without what a supervisor let appear: names that a rule asks about, redirects or keeps. */
async function stillRefused(session: Session, paths: readonly Buffer[]): Promise<readonly Buffer[]> {
  const refused = await refusedRequests(session, paths.map((path) => ({ kind: 'file', operation: 'create', path: path.toString() })));
  const names = new Set(refused.flatMap(({ request }) => (request.kind === 'file' ? [request.path] : [])));
  return paths.filter((path) => names.has(path.toString()));
}

/** What of a command's own words the policy refuses to read. */
async function argumentRefusals(session: Session, { command }: Plan): Promise<readonly Refusal[]> {
  const { home, workspace } = session.place;
  return refusedRequests(session, namedPaths(command.argv, { cwd: command.cwd, home, workspace: workspace.root, exists: existsSync }));
}

async function refusedRequests(session: Session, requests: readonly PolicyRequest[]): Promise<readonly Refusal[]> {
  if (requests.length === 0) return [];
  const { withheld, others } = withheldRequests(requests, { root: session.place.workspace.root, names: session.plan.withheld, approved: session.gate.shown().approved, exists: existsSync });
  if (others.length === 0) return withoutDoubles(withheld);
  const { policyOfPlace, refusedOf } = await import('./planner.ts');
  return withoutDoubles([...withheld, ...refusedOf(policyOfPlace(session.place), others)]);
}

/** A protected file that appeared and is still there is a guarantee that was not kept. */
function leftBehind(left: readonly LeftBehind[]): HoldfastError {
  return new HoldfastError('HF_QUARANTINE_FAILED', `protected files appeared and could not be moved away: ${left.map(({ path }) => path).join(', ')}`, {
    remedy: 'look at them and remove them yourself before anything outside the box uses them',
    details: { left: left.map(({ path, reason }) => ({ path, reason })) },
    cause: left[0]?.cause,
  });
}
