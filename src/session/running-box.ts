/** One command in one box, from the opening of its listeners to the journal event of its end. */
import type { Aftermath } from '../aftermath/aftermath.ts';
import type { Quarantined } from '../aftermath/quarantine/quarantine.ts';
import { appendEvents, type JournalEvent } from '../audit/index.ts';
import type { BackendStart, Descriptor, LaunchOutcome, LaunchedBox } from '../backends/backend.ts';
import type { NetworkDoor, NetworkReach } from '../egress/session/session-network.ts';
import { superviseBox, type BoxSupervisor } from '../notify/session/supervision.ts';
import { changedTraces, takeTraces, type GitTrace } from '../place/git-config/traces.ts';
import { removeDeadGroups } from '../place/host/cgroups.ts';
import { withNews, type Refusal } from '../place/refusals/refusal.ts';
import type { Plan } from '../plan/types.ts';
import type { StagedRun } from '../staged/session/staging.ts';
import { startEvent } from './session-options.ts';
import { newBoxId, planBox, type Session } from './session.ts';

export interface RunningBox {
  readonly box: LaunchedBox;
  readonly ended: Promise<EndedBox>;
  /** Resolves when its supervisor answers. Undefined for a box without a supervisor. */
  readonly served: Promise<void> | undefined;
  /** Reach of the open network, once the listeners have arrived. They arrive before the command starts. */
  readonly reach: NetworkReach | undefined;
}

export interface EndedBox {
  readonly exitCode: number;
  readonly signal: number;
  readonly ending: LaunchOutcome['ending'];
  readonly refusals: readonly Refusal[];
  readonly quarantined: readonly Quarantined[];
  readonly noticed: Aftermath['noticed'];
}

export interface StartBoxOptions {
  readonly stdio: readonly [Descriptor, Descriptor, Descriptor];
  /** Text searched for refusals: the `tail` of stderr, or the arguments of a command that owns its `terminal`. */
  readonly stderr: 'direct' | 'tail' | 'terminal';
  /** `own`: the terminal was made for this command. `none`: it gets no terminal at all. Default: `callers`. */
  readonly terminal?: NonNullable<BackendStart['terminal']>;
  readonly launchers?: BackendStart['launchers'];
  readonly adopted?: BackendStart['adopted'] | undefined;
}

/**
 * Starts one planned command. `ended` rejects with a `HoldfastError` if the box could not be built. Throws if the
 * journal cannot record the start. The command has not run then.
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
  // The launcher works meanwhile.
  orGiveUp({ ...opened, box }, () => journalStart(session, plan));
  const traces = tracesBefore(session);
  box.begin();
  removeDeadGroups(plan.limits.cgroups.map(({ directory }) => directory));
  return runningBox(session, plan, { ...opened, box, traces });
}

/** Under a staged layer no write of the command reaches them. */
function tracesBefore({ plan, staging }: Session): readonly GitTrace[] {
  return staging === undefined ? takeTraces(plan.configuration.traces) : [];
}

function listening(supervision: BoxSupervisor | undefined): Partial<Pick<BoxSupervisor, 'listener' | 'known'>> {
  return supervision === undefined ? {} : { listener: supervision.listener, known: supervision.known };
}

function openDoor(session: Session, { network }: Plan): NetworkDoor | undefined {
  return network.kind === 'closed' ? undefined : session.network.door(network);
}

function network(door: NetworkDoor | undefined): { readonly network?: NetworkDoor } {
  return door === undefined ? {} : { network: door };
}

/** A box built ahead of time, which waits for its command. */
export interface WarmBox {
  readonly id: string;
  readonly plan: Plan;
  readonly box: LaunchedBox;
  readonly door: NetworkDoor | undefined;
  readonly supervision: BoxSupervisor | undefined;
}

export function warmBox(session: Session, launchers: BackendStart['launchers']): WarmBox {
  const id = newBoxId(session);
  const plan = planBox(session, { argv: [''], box: id });
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

/** Runs a planned command in a waiting box. Throws like `startBox`, and then ends the box too. */
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
  const traces = tracesBefore(session);
  box.run(plan.command);
  return runningBox(session, { ...built, command: plan.command }, { ...started, traces });
}

interface StartedBox extends OpenedBox {
  readonly traces: readonly GitTrace[];
}

interface OpenedBox {
  readonly box: LaunchedBox;
  readonly door: NetworkDoor | undefined;
  readonly supervision: BoxSupervisor | undefined;
  readonly staged: StagedRun | undefined;
  readonly stderr: StartBoxOptions['stderr'];
}

function runningBox(
  session: Session,
  plan: Plan,
  { box, door, supervision, staged, stderr, traces }: StartedBox,
): RunningBox {
  const started = Date.now();
  const ended = box.outcome
    .then((outcome) =>
      settle(session, plan, { outcome, door, supervision, staged, stderr, traces, duration: Date.now() - started }),
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

/** Called before the command begins, because a command that cannot be journalled must not run. */
function journalStart(session: Session, plan: Plan): void {
  appendEvents(session.place.paths.journal, [startEvent(session, plan)]);
}

/** Closes the parts opened for a command that does not start. Otherwise they would stay open as long as the session. */
function orGiveUp<Started>({ box, door, supervision, staged }: Partial<OpenedBox>, start: () => Started): Started {
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
  readonly supervision: BoxSupervisor | undefined;
  readonly staged: StagedRun | undefined;
  readonly stderr: StartBoxOptions['stderr'];
  readonly traces: readonly GitTrace[];
  /** Milliseconds. */
  readonly duration: number;
}

async function settle(
  session: Session,
  plan: Plan,
  { outcome, door, supervision, staged, stderr, traces, duration }: Ending,
): Promise<EndedBox> {
  const closed = await closeDoor(door);
  const supervised = await supervision?.close();
  const unheard = stderr === 'terminal' && outcome.exitCode !== 0 && outcome.signal === 0;
  const changed = changedTraces(traces);
  const quiet =
    outcome.failure === undefined &&
    changed.length === 0 &&
    outcome.appeared.length === 0 &&
    outcome.refused.length === 0 &&
    outcome.covered.length === 0 &&
    outcome.stderrTail.length === 0 &&
    !unheard;
  const aftermath = quiet
    ? nothing
    : await (await import('../aftermath/aftermath.ts')).lookAround(session, plan, {
        outcome,
        changed,
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
    noticed: aftermath.noticed,
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

const nothing: Aftermath = { refusals: [], quarantined: [], noticed: [], events: [], error: undefined };
