import { randomBytes } from 'node:crypto';
import { constants } from 'node:os';
import { join } from 'node:path';
import { appendEvents, type JournalEvent } from '../audit/index.ts';
import { missingGuarantees, type Backend, type BackendName, type Descriptor, type LaunchedBox, type LaunchOutcome } from '../backends/index.ts';
import { HoldfastError } from '../errors/index.ts';
import { compilePlan, type HostFacts, type Plan } from '../plan/index.ts';
import type { Policy } from '../policy/index.ts';
import { chooseBackend } from './choose-backend.ts';
import { failureError } from './failures.ts';
import { collectFacts, homeDirectory } from './host/host-facts.ts';
import { findInstallation, type Installation } from './host/installation.ts';
import { statePaths, type StatePaths } from './host/state-paths.ts';
import { findWorkspace } from './host/workspace.ts';
import { loadPolicy, type Grants, type LoadedPolicy } from './load-policy.ts';
import { quarantineAppeared, type Quarantined } from './quarantine/quarantine.ts';
import { observeRefusals, type Refusal } from './refusals/observe.ts';
import { describeSession } from './session-file.ts';

export interface SessionOptions {
  /** Default: the process's working directory. */
  readonly cwd: string;
  /** Default: the top of the git work tree around `cwd`, or `cwd`. */
  readonly workspace?: string;
  readonly backend?: BackendName | 'auto';
  /** What the person who starts the session grants in addition to their policy file. */
  readonly grants?: Grants;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** One policy, one workspace, one set of pinned roots; any number of boxes. */
export interface Session {
  readonly id: string;
  readonly policy: Policy;
  readonly facts: HostFacts;
  readonly backend: Backend;
  readonly installation: Installation;
  readonly paths: StatePaths;
  readonly loaded: LoadedPolicy;
}

const idBytes = 6;

/** Loads the policy and looks at the host. Starts nothing and writes nothing. */
export function openSession(options: SessionOptions): Session {
  const home = homeDirectory();
  const workspace = findWorkspace({ cwd: options.cwd, home, ...(options.workspace === undefined ? {} : { root: options.workspace }) });
  const installation = findInstallation();
  const paths = statePaths(home, options.environment);
  const loaded = loadPolicy(paths, { home, workspace, installation: installation.visible, grants: options.grants ?? {} });
  const facts = collectFacts(loaded.policy, { workspace, installation: installation.visible, environment: options.environment });
  const backend = chooseBackend(options.backend ?? 'auto', loaded.policy);
  return { id: randomBytes(idBytes).toString('hex'), policy: loaded.policy, facts, backend, installation, paths, loaded };
}

export interface BoxOptions {
  readonly argv: readonly string[];
  readonly cwd?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** The plan of one command in this session. Throws when the backend does not hold what the policy requires. */
export function planCommand(session: Session, options: BoxOptions): Plan {
  const facts = options.cwd === undefined ? session.facts : { ...session.facts, workspace: { ...session.facts.workspace, cwd: options.cwd } };
  const plan = compilePlan(session.policy, facts, {
    argv: options.argv,
    sessionId: session.id,
    session: describeSession(session),
    ...(options.environment === undefined ? {} : { environment: options.environment }),
  });
  refuseMissing(session, plan);
  return plan;
}

function refuseMissing(session: Session, plan: Plan): void {
  const missing = missingGuarantees(plan, session.backend.guarantees({ uid: session.facts.user.uid, cgroups: session.facts.cgroups }));
  if (missing.length === 0) return;
  throw new HoldfastError('HF_GUARANTEE_MISSING', `the ${session.backend.name} backend cannot enforce here: ${missing.join(', ')}`, {
    remedy: 'see `holdfast doctor` for why, choose another --backend, or take the requirement out of the policy',
    details: { missing },
  });
}

export interface RunningBox {
  readonly box: LaunchedBox;
  readonly ended: Promise<EndedBox>;
}

export interface EndedBox {
  readonly exitCode: number;
  readonly signal: number;
  readonly ending: LaunchOutcome['ending'];
  readonly refusals: readonly Refusal[];
  readonly quarantined: readonly Quarantined[];
}

export interface StartBoxOptions {
  readonly stdio: readonly [Descriptor, Descriptor, Descriptor];
  readonly stderr: 'direct' | 'tail';
}

/** Starts one planned command. `ended` rejects with a `HoldfastError` when the box could not be built. */
export function startBox(session: Session, plan: Plan, options: StartBoxOptions): RunningBox {
  const started = Date.now();
  appendEvents(session.paths.journal, [startEvent(session, plan)]);
  const box = session.backend.start(plan, { launcher: session.installation.launcher, ...options });
  return { box, ended: box.outcome.then((outcome) => settle(session, plan, { outcome, duration: Date.now() - started })) };
}

interface Ending {
  readonly outcome: LaunchOutcome;
  /** Milliseconds. */
  readonly duration: number;
}

function settle(session: Session, plan: Plan, { outcome, duration }: Ending): EndedBox {
  const quarantined = quarantineAppeared(outcome.appeared.map(String), { directory: join(session.paths.quarantine, session.id), roots: plan.protection.roots });
  const refusals = observeRefusals(outcome.stderrTail.toString(), session.policy, { cwd: plan.command.cwd, home: session.facts.user.home });
  const reason = outcome.failure !== undefined ? 'failure' : outcome.ending === 'timed-out' ? 'time-out' : 'exit';
  const common = { session: session.id, workspace: session.facts.workspace.root };
  appendEvents(session.paths.journal, [
    ...refusals.map((refusal): JournalEvent => ({ type: 'refusal', ...common, observed: 'output', request: refusal.request, verdict: { ...refusal.verdict } })),
    ...quarantined.map((item): JournalEvent => ({ type: 'quarantine', ...common, ...item })),
    { type: 'session.end', ...common, exitCode: outcome.exitCode, signal: outcome.signal, duration, reason },
  ]);
  if (outcome.failure !== undefined) throw failureError(outcome.failure, plan.command.argv[0] ?? '');
  return { exitCode: outcome.exitCode, signal: outcome.signal, ending: outcome.ending, refusals, quarantined };
}

function startEvent(session: Session, plan: Plan): JournalEvent {
  return {
    type: 'session.start',
    session: session.id,
    workspace: session.facts.workspace.root,
    argv: plan.command.argv,
    cwd: plan.command.cwd,
    backend: session.backend.name,
    uid: session.facts.user.uid,
    policy: session.loaded.digest,
  };
}

/** Name of a signal number, for messages. */
export function signalName(signal: number): string {
  return Object.entries(constants.signals).find(([, number]) => number === signal)?.[0] ?? `signal ${signal}`;
}
