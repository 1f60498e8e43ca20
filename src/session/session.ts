/**
 * The session room: commands in boxes of one policy and one workspace, from the plan to the end of each box.
 *
 * Policy texts and facts of the host are read in `place`; what a feature does for a session lies in
 * `src/FEATURE/session`.
 */
import process from 'node:process';
import { appendEvents, type JournalEvent } from '../audit/index.ts';
import {
  missingGuarantees,
  type Backend,
  type Descriptor,
  type LaunchedBox,
  type LaunchOutcome,
  type StartOptions,
} from '../backends/index.ts';
import { HoldfastError } from '../errors/index.ts';
import type { Plan } from '../plan/index.ts';
import type { Aftermath } from '../aftermath/aftermath.ts';
import { sessionApprovals, type SessionApprovals } from '../approvals/session/session-approvals.ts';
import type { SessionCredentials } from '../credentials/session/session-credentials.ts';
import { noTrust, type SessionTrust } from '../place/session-trust.ts';
import {
  sessionNetwork,
  type NetworkDoor,
  type NetworkReach,
  type SessionNetwork,
} from '../egress/session/session-network.ts';
import type { Admitted, CommandGuard, Entering } from '../shell/session/admission.ts';
import { removeDeadGroups } from '../place/host/dead-groups.ts';
import { type Place, readPlace } from '../place/place.ts';
import type { Metadata, SessionOptions } from './session-options.ts';
import { boxPath, fillPlan, templatePlan, type PlacePlan } from '../place/place-plan.ts';
import { superviseBox, type Supervision } from '../notify/session/supervision.ts';
import { SupervisorThreads } from '../notify/session/supervisor-threads.ts';
import type { Quarantined } from '../aftermath/quarantine/quarantine.ts';
import { withNews, type Refusal } from '../place/refusals/refusal.ts';
import type { PolicyText } from '../place/policy-texts.ts';
import { knownNames, makeRoomForPlans, recallPlan, rememberPlan } from '../place/remembered-plan.ts';
import { sessionBackend, writablePlaces } from '../place/writable-places.ts';
import { lazyGate, type LazyGate } from '../trust/session/lazy-gate.ts';
import { startEvent } from './session-start.ts';
import type { StagedRun, Staging } from '../staged/session/staging.ts';

/** One policy, one workspace, one set of pinned roots; any number of boxes. */
export interface Session {
  readonly id: string;
  readonly place: Place;
  readonly plan: PlacePlan;
  readonly backend: Backend;
  /** `encodeBox` of the plan; another one when the staged layer is another. */
  readonly box: Uint8Array;
  /** Layers of policy that came while it lived. */
  readonly ceilings: PolicyText[];
  readonly metadata: Metadata | undefined;
  /** The host's environment. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly network: SessionNetwork;
  /** What a box needs to believe the session's authority; nothing where TLS is never ended. */
  readonly trust: SessionTrust;
  /** What stands for secrets in its boxes; absent where the policy has none. */
  readonly credentials: SessionCredentials | undefined;
  /** Where writes are kept aside; absent where they go to the host. */
  readonly staging: Staging | undefined;
  /** Who is asked. */
  readonly approvals: SessionApprovals;
  /** What of the withheld files its boxes get. */
  readonly gate: LazyGate;
  /** Who judges the commands that enter; absent where the policy says nothing about any. */
  readonly guard: CommandGuard | undefined;
  /** Supervisors that go from one box to the next, where there may be many. */
  readonly threads: SupervisorThreads | undefined;
  readonly spares: SessionOptions['spares'];
}

/** Loads the policy and plans for this host. Starts nothing. Throws `HoldfastError` for what is wrong with either. */
export async function openSession(options: SessionOptions): Promise<Session> {
  const place = readPlace(options);
  const plan = recallPlan(place, options.environment) ?? (await makePlan(place, options.environment));
  const id = `${Date.now().toString(36)}-${process.pid.toString(36)}-${instant()}`;
  const { environment, approve, terminal = 'none' } = options;
  const approvals = sessionApprovals({ session: id, place, environment, approve, terminal });
  const credentials = plan.credentials === 'none' ? undefined : await openCredentials({ id, place, plan, options });
  const ceilings: PolicyText[] = [...(options.layers ?? [])];
  const network = sessionNetwork({
    id,
    place,
    environment,
    authority: plan.authority,
    credentials,
    approvals,
    ceilings,
    spares: options.spares,
  });
  const trust = plan.authority === 'none' ? noTrust : await network.trust();
  const backend = await sessionBackend(plan.backend);
  const staging =
    options.staged === undefined
      ? undefined
      : await (await import('../staged/session/stage-session.ts')).stageSession({
          choice: options.staged,
          boxes: options.stagedBoxes ?? 'one',
          place,
          backend,
          plan: templatePlan(plan),
        });
  const live = Buffer.from(plan.box, 'base64');
  const guard = plan.commands === 'open' ? undefined : await openGuard({ id, place, plan, options }, approvals);
  const gate = await lazyGate(place, plan, options.commands ?? 'one');
  const threads = options.commands === 'many' ? new SupervisorThreads() : undefined;
  const { spares } = options;
  return {
    id,
    place,
    plan,
    backend,
    ceilings,
    metadata: options.metadata,
    environment,
    network,
    trust,
    credentials,
    staging,
    gate,
    guard,
    approvals,
    threads,
    spares,
    get box() {
      return staging?.box ?? live;
    },
  };
}

/** What makes the next boxes of a session those of another plan, at once. */
export async function otherParts(session: Session, place: Place, plan: PlacePlan): Promise<() => void> {
  const { id, environment, approvals } = session;
  const guard =
    plan.commands === 'open' ? undefined : await openGuard({ id, place, plan, options: { environment } }, approvals);
  const gate = await lazyGate(place, plan, 'many');
  return () =>
    void Object.assign(
      Object.defineProperty(session, 'box', { value: Buffer.from(plan.box, 'base64'), configurable: true }),
      { place, plan, guard, gate },
    );
}

interface SessionStart {
  readonly id: string;
  readonly place: Place;
  readonly plan: PlacePlan;
  readonly options: Pick<SessionOptions, 'environment' | 'credentials'>;
}

async function openGuard(
  { id, place, plan, options: { environment } }: SessionStart,
  approvals: SessionApprovals,
): Promise<CommandGuard> {
  const { openCommandGuard } = await import('../shell/session/command-guard.ts');
  return openCommandGuard({
    session: id,
    place,
    approvals,
    mounts: templatePlan(plan).mounts,
    path: boxPath(plan.environment, environment),
    hostPath: environment['PATH'],
  });
}

async function openCredentials({
  id,
  place,
  plan,
  options: { environment, credentials: only },
}: SessionStart): Promise<SessionCredentials> {
  const { openSessionCredentials } = await import('../credentials/session/session-credentials.ts');
  return openSessionCredentials({
    id,
    place,
    environment,
    writableRoots: writablePlaces(plan),
    gitSettings: Number(plan.environment.set['GIT_CONFIG_COUNT'] ?? 0),
    ...(only === undefined ? {} : { only }),
  });
}

/** Nanoseconds since the machine started: never the same twice in a process. */
function instant(): string {
  return process.hrtime.bigint().toString(36);
}

async function makePlan(place: Place, environment: SessionOptions['environment']): Promise<PlacePlan> {
  makeRoomForPlans(place);
  const { settlePlan } = await import('../place/planner.ts');
  const { plan, choice } = await settlePlan(place, environment, knownNames(place));
  if (choice !== 'first') return plan;
  rememberPlan(place, plan);
  // As every later run does: what V8 has compiled is kept from this process on, and would lack what only those run.
  return recallPlan(place, environment) ?? plan;
}

export interface BoxOptions {
  readonly argv: readonly string[];
  /** Absolute, inside the box. */
  readonly cwd?: string;
  /** Added to what the policy lets through. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly settled?: Admitted['settled'];
  /** ID of the box that waits for it. Default: that of a new one. */
  readonly box?: string;
}

/** The command as the policy lets it enter. Throws `HF_COMMAND_REFUSED`; waits where somebody has to be asked. */
export async function admitCommand(session: Session, command: BoxOptions): Promise<BoxOptions> {
  const admission = session.guard?.admit(entering(session, command));
  if (admission === undefined) return command;
  return { ...command, ...(admission.kind === 'admitted' ? admission.command : await admission.answer()) };
}

/** For the guard of a session, which has to know where a command starts. */
export function entering(
  { place }: Session,
  { argv, cwd = place.workspace.cwd, environment = {} }: BoxOptions,
): Entering {
  return { argv, cwd, environment };
}

/** The plan of one command in this session. Throws when the backend does not hold what the policy requires. */
export function planCommand(
  session: Session,
  { argv, cwd, environment, settled, box: boxId = newBoxId(session) }: BoxOptions,
  staging: Pick<Staging, 'stage'> | undefined = session.staging,
): Plan {
  const { id, place } = session;
  const filled = fillPlan(session.plan, {
    id,
    boxId,
    argv,
    cwd: cwd ?? place.workspace.cwd,
    host: session.environment,
    environment: environment ?? {},
    trust: session.trust,
    credentials: session.credentials?.delivered ?? noTrust,
    shown: session.gate.shown(),
  });
  const live =
    settled === undefined || settled.length === 0 ? filled : { ...filled, command: { ...filled.command, settled } };
  const wanted = staging?.stage(live) ?? live;
  const plan = session.backend.adapt?.(wanted, { scratch: `/tmp/holdfast-${place.uid}-${boxId}` }) ?? wanted;
  const missing = missingGuarantees(plan, session.backend.guarantees(place));
  if (missing.length === 0 && (staging !== undefined || !live.requires.includes('fs.stage'))) return plan;
  if (missing.length === 0) throw notStaged();
  throw new HoldfastError(
    'HF_GUARANTEE_MISSING',
    `the ${session.backend.name} backend cannot enforce here: ${missing.join(', ')}`,
    {
      remedy: 'see `holdfast doctor` for why, choose another --backend, or take the requirement out of the policy',
      details: { missing },
    },
  );
}

function newBoxId({ id }: Session): string {
  return `${id}.${instant()}`;
}

/** A policy that demands it is not content with a backend that could. */
function notStaged(): HoldfastError {
  return new HoldfastError(
    'HF_GUARANTEE_MISSING',
    'the policy requires that writes are kept aside (guarantee: fs.stage)',
    { remedy: 'run with --staged', details: { missing: ['fs.stage'] } },
  );
}

export interface RunningBox {
  readonly box: LaunchedBox;
  readonly ended: Promise<EndedBox>;
  /** Resolves when its supervisor answers it; undefined for a box without one. */
  readonly served: Promise<void> | undefined;
  /** How far its open network reaches, once its listeners have come; they come before the command starts. */
  readonly reach: NetworkReach | undefined;
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
  /**
   * What refusals are looked for in: the `tail` of stderr; or, at a `terminal`, which is the command's own, its
   * arguments.
   */
  readonly stderr: 'direct' | 'tail' | 'terminal';
  /** `own`: it was made for this command. Default: `callers`. */
  readonly terminal?: 'callers' | 'own';
  readonly launchers?: StartOptions['launchers'];
  readonly adopted?: StartOptions['adopted'] | undefined;
}

/**
 * Starts one planned command. `ended` rejects with a `HoldfastError` when the box could not be built. Throws when the
 * journal cannot take the start: then nothing has run.
 */
export function startBox(session: Session, plan: Plan, options: StartBoxOptions): RunningBox {
  const stderr = options.stderr === 'tail' ? 'tail' : 'direct';
  const staged = session.staging?.enter(plan);
  const door = openDoor(session, plan);
  const supervision = superviseBox(session, plan, door);
  const opened = { door, supervision, staged, stderr: options.stderr };
  const box = orGiveUp(opened, () =>
    session.backend.start(plan, {
      launcher: session.place.installation.launcher,
      box: session.box,
      ...options,
      ...network(door),
      ...listening(supervision),
      stderr,
      command: 'held',
    }),
  );
  door?.belongsTo(box);
  supervision?.belongsTo(box);
  staged?.watch(box);
  // While the launcher works.
  orGiveUp({ ...opened, box }, () => journalStart(session, plan));
  box.begin();
  removeDeadGroups(plan.limits.cgroups.map(({ directory }) => directory));
  return runningBox(session, plan, { ...opened, box });
}

function listening(supervision: Supervision | undefined): Partial<Pick<Supervision, 'listener' | 'known'>> {
  return supervision === undefined ? {} : { listener: supervision.listener, known: supervision.known };
}

function openDoor(session: Session, { network }: Plan): NetworkDoor | undefined {
  return network.kind === 'closed' ? undefined : session.network.door(network);
}

function network(door: NetworkDoor | undefined): { readonly network?: NetworkDoor } {
  return door === undefined ? {} : { network: door };
}

/** A box that waits for its command, built ahead of time. */
export interface WarmBox {
  readonly id: string;
  readonly plan: Plan;
  readonly box: LaunchedBox;
  readonly door: NetworkDoor | undefined;
  readonly supervision: Supervision | undefined;
}

export function warmBox(session: Session, launchers: StartOptions['launchers']): WarmBox {
  const id = newBoxId(session);
  const plan = planCommand(session, { argv: [''], box: id });
  const door = openDoor(session, plan);
  const supervision = superviseBox(session, plan, door);
  const options = {
    launcher: session.place.installation.launcher,
    box: session.box,
    stdio: ['pipe', 'pipe', 'pipe'],
    stderr: 'direct',
    command: 'later',
    launchers,
    ...network(door),
    ...listening(supervision),
  } as const;
  const box = session.backend.start(plan, options);
  door?.belongsTo(box);
  supervision?.belongsTo(box);
  return { id, plan, door, supervision, box };
}

/** Runs a planned command in a box that waits for one. Throws like `startBox`, and then that box is ended too. */
export function startWarmBox(
  session: Session,
  plan: Plan,
  { box, door, supervision, plan: built }: WarmBox,
): RunningBox {
  const staged = session.staging?.enter(plan);
  const started = { box, door, supervision, staged, stderr: 'direct' } as const;
  orGiveUp(started, () => journalStart(session, plan));
  staged?.watch(box);
  supervision?.settle(plan.command.settled ?? []);
  box.run(plan.command);
  return runningBox(session, { ...built, command: plan.command }, started);
}

interface StartedBox {
  readonly box: LaunchedBox;
  readonly door: NetworkDoor | undefined;
  readonly supervision: Supervision | undefined;
  readonly staged: StagedRun | undefined;
  readonly stderr: StartBoxOptions['stderr'];
}

function runningBox(session: Session, plan: Plan, { box, door, supervision, staged, stderr }: StartedBox): RunningBox {
  const started = Date.now();
  const ended = box.outcome
    .then((outcome) =>
      settle(session, plan, { outcome, door, supervision, staged, stderr, duration: Date.now() - started }),
    )
    .finally(() => staged?.leave());
  return {
    box,
    ended,
    served: supervision?.served,
    get reach() {
      return door?.reach();
    },
  };
}

/** Before the command begins: what cannot be kept does not run. */
function journalStart(session: Session, plan: Plan): void {
  appendEvents(session.place.paths.journal, [startEvent(session, plan)]);
}

/** What was opened for a command that does not start would stay as long as the session. */
function orGiveUp<Started>({ box, door, supervision, staged }: Partial<StartedBox>, start: () => Started): Started {
  try {
    return start();
  } catch (error) {
    box?.end();
    staged?.leave();
    for (const ending of [box?.outcome, door?.close(), supervision?.close()]) ending?.catch(() => undefined);
    throw error;
  }
}

interface Ending {
  readonly outcome: LaunchOutcome;
  readonly door: NetworkDoor | undefined;
  readonly supervision: Supervision | undefined;
  readonly staged: StagedRun | undefined;
  readonly stderr: StartBoxOptions['stderr'];
  /** Milliseconds. */
  readonly duration: number;
}

async function settle(
  session: Session,
  plan: Plan,
  { outcome, door, supervision, staged, stderr, duration }: Ending,
): Promise<EndedBox> {
  const closed = await closeDoor(door);
  const supervised = await supervision?.close();
  const unheard = stderr === 'terminal' && outcome.exitCode !== 0 && outcome.signal === 0;
  const quiet =
    outcome.failure === undefined &&
    outcome.appeared.length === 0 &&
    outcome.refused.length === 0 &&
    outcome.stderrTail.length === 0 &&
    !unheard;
  const aftermath = quiet
    ? nothing
    : await (await import('../aftermath/aftermath.ts')).lookAround(session, plan, {
        outcome,
        source: unheard ? 'arguments' : 'output',
      });
  const reason = outcome.failure !== undefined ? 'failure' : outcome.ending === 'timed-out' ? 'time-out' : 'exit';
  const { exitCode, signal, ending } = outcome;
  const end: JournalEvent = {
    type: 'session.end',
    session: session.id,
    workspace: session.place.workspace.root,
    exitCode,
    signal,
    duration,
    reason,
  };
  appendEvents(session.place.paths.journal, [...aftermath.events, end]);
  const error = closed.error ?? supervised?.error ?? staged?.failure() ?? aftermath.error;
  if (error !== undefined) throw error;
  return {
    exitCode,
    signal,
    ending,
    refusals: withNews([...closed.refusals, ...(supervised?.refusals ?? [])], aftermath.refusals),
    quarantined: aftermath.quarantined,
  };
}

interface ClosedDoor {
  readonly refusals: readonly Refusal[];
  /** Thrown once the journal has the end of the command. */
  readonly error: unknown;
}

async function closeDoor(door: NetworkDoor | undefined): Promise<ClosedDoor> {
  try {
    return { refusals: (await door?.close()) ?? [], error: door?.failure() };
  } catch (error) {
    return { refusals: [], error };
  }
}

const nothing: Aftermath = { refusals: [], quarantined: [], events: [], error: undefined };
