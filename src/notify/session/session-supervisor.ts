import { closeSync, writeSync } from 'node:fs';
import type { MessagePort } from 'node:worker_threads';
import { askAll, type SessionApprovals } from '../../approvals/session/session-approvals.ts';
import { appendEvents, type JournalEvent } from '../../audit/index.ts';
import type { BackendStart, FoundName } from '../../backends/backend.ts';
import { HoldfastError } from '../../errors/index.ts';
import { isKernelError, takeDescriptor } from '../../kernel/index.ts';
import type { Place } from '../../place/place.ts';
import type { Refusal } from '../../place/refusals/refusal.ts';
import type { Mount } from '../../plan/mount.ts';
import type { DeniedProgram, NotifyGroup } from '../../plan/types.ts';
import type { Verdict } from '../../policy/verdict.ts';
import type { CommandGuard } from '../../shell/session/admission.ts';
import type { HeldPath } from '../supervise/context.ts';
import type { Enforced, PinnedProgram, AccessQuestion } from '../types.ts';
import type { FromThread, SettledCommands, SupervisedBox, ToThread, WholeData } from './messages.ts';
import {
  atExit,
  lastWord,
  leave,
  startThread,
  type SupervisorThread,
  type SupervisorThreads,
} from './supervisor-threads.ts';

export interface SupervisedSession {
  readonly id: string;
  readonly place: Place;
  readonly approvals: Pick<SessionApprovals, 'ask'>;
  readonly guard?: Pick<CommandGuard, 'pinned'> | undefined;
  /** Threads that move from one box of the session to the next. Default: each box loads its own. */
  readonly threads?: Pick<SupervisorThreads, 'take' | 'giveBack'> | undefined;
  /** Threads that have loaded the policies of this place. Default: each box starts its own. */
  readonly spares?: { threads(place: Place): Pick<SupervisorThreads, 'take' | 'giveBack'> } | undefined;
}

export interface SupervisorStart {
  readonly mounts: readonly Mount[];
  readonly groups: readonly NotifyGroup[];
  readonly programs: readonly DeniedProgram[];
  readonly settled: SettledCommands;
  readonly pinned: readonly PinnedProgram[];
  /** For a box without mounts. */
  readonly whole?: WholeData;
  readonly endBox: () => void;
}

export interface ClosedSupervision {
  readonly refusals: readonly Refusal[];
  readonly error: Error | undefined;
}

export interface RunningSupervisor {
  /** Resolves when this process holds the listener. */
  readonly take: NonNullable<BackendStart['listener']>;
  /** Resolves when the thread that answers the next call knows these paths. */
  readonly know: NonNullable<BackendStart['known']>;
  readonly hold: (how: 'ref' | 'unref') => void;
  /** Resolves when the calls are answered, or never will be. */
  readonly served: Promise<void>;
  readonly settle: (settled: SettledCommands) => void;
  readonly close: () => Promise<ClosedSupervision>;
}

/**
 * Starts the supervisor of one box. A thread serves one box at a time. If the thread fails, the box is ended, because
 * nobody else would answer its calls. This function takes the listener, and hands it to the thread once the thread has
 * loaded the policy. Until then the box waits at its first call, not in the launcher, which times out early.
 */
export function startSupervisor(session: SupervisedSession, start: SupervisorStart): RunningSupervisor {
  const { mounts, groups, programs, settled, pinned, whole } = start;
  const threads = session.threads ?? session.spares?.threads(session.place);
  const thread = threads?.take(() => startThread(session.place)) ?? startThread(session.place);
  const { worker } = thread;
  const box: SupervisedBox = {
    mounts,
    groups,
    programs,
    settled,
    pinned,
    session: session.id,
    ...(whole === undefined ? {} : { whole }),
  };
  const state: State = {
    thread,
    listener: undefined,
    refusals: [],
    told: new Set(),
    denials: new Map(),
    pending: [],
    error: undefined,
  };
  const serving = Promise.withResolvers<void>();
  const fail = (cause: unknown): void => {
    state.error ??= failure(cause);
    start.endBox();
  };
  const over = lastWord(thread, {
    fail,
    hear: (message) => hear(message, { session, state, fail, serving: serving.resolve }),
    end: (how) => letGo(threads, state, how),
  });
  const forget = atExit(() => {
    tell(state, { kind: 'end' });
    wakeUp(state);
  });
  void over.then(forget).then(serving.resolve);
  tell(state, { kind: 'box', box }, whole?.network === undefined ? [] : [whole.network.announcements]);
  return {
    take: async (pid, descriptor, found) => {
      if (state.error !== undefined) throw state.error;
      state.listener = takeOrNothing(pid, descriptor);
      if (state.thread === undefined) closeListener(state);
      tell(
        state,
        state.listener === undefined
          ? { kind: 'end' }
          : { kind: 'take', listener: state.listener, found: found.flatMap(heldBy) },
      );
    },
    know: async (found) => {
      if (state.error !== undefined) throw state.error;
      tell(state, { kind: 'found', found: found.flatMap(heldBy) });
      wakeUp(state);
    },
    hold: (how) => state.thread?.worker[how](),
    served: serving.promise,
    settle: (commands) => {
      if (commands.length === 0) return;
      tell(state, { kind: 'settled', commands });
      wakeUp(state);
    },
    close: async () => {
      if (state.thread !== undefined) worker.ref();
      tell(state, { kind: 'end' });
      wakeUp(state);
      await over;
      flush(session, state, fail);
      return { refusals: state.refusals, error: state.error };
    },
  };
}

/** Paths are bytes as latin1, as everywhere in this room. */
function heldBy({ path, identity, effect, symlink }: FoundName): readonly HeldPath[] {
  return effect === 'pinned'
    ? []
    : [{ path: path.toString('latin1'), identity, how: effect === 'hidden' ? 'hidden' : 'fixed', symlink }];
}

/** The box may have been killed before its command began. */
function takeOrNothing(pid: number, descriptor: number): number | undefined {
  try {
    return takeDescriptor(pid, descriptor);
  } catch (error) {
    if (isKernelError(error, 'ESRCH')) return undefined;
    throw failure(error);
  }
}

/**
 * After this, no message of this box may reach the thread, which would take it for a message of its next box. Attack:
 * an answer that comes late.
 */
function letGo(threads: SupervisedSession['threads'], state: State, end: 'over' | 'exit'): void {
  const { thread } = state;
  state.thread = undefined;
  closeListener(state);
  if (thread === undefined || end === 'exit') return;
  if (threads === undefined || state.error !== undefined) leave(thread);
  else threads.giveBack(thread);
}

/** Once the listener is closed, the kernel refuses calls that still wait under the filter. */
function closeListener(state: State): void {
  if (state.listener !== undefined) closeSync(state.listener);
  state.listener = undefined;
}

/** Number of different refusals that are reported for one box. */
const mostRefusals = 1000;

interface State {
  /** Undefined once the thread has finished with this box. */
  thread: SupervisorThread | undefined;
  listener: number | undefined;
  readonly refusals: Refusal[];
  readonly told: Set<string>;
  /** Why each question was denied, until the thread reports the refusal. */
  readonly denials: Map<string, string>;
  /** Events that are not in the journal yet. */
  readonly pending: JournalEvent[];
  error: HoldfastError | undefined;
}

interface Ears {
  readonly session: SupervisedSession;
  readonly state: State;
  readonly fail: (cause: unknown) => void;
  readonly serving: () => void;
}

function hear(message: Exclude<FromThread, { kind: 'over' }>, ears: Ears): void {
  switch (message.kind) {
    case 'serving':
      return ears.serving();
    case 'ask':
      return void answer(message.question, ears);
    case 'enforced':
      return note(message.event, ears);
  }
}

async function answer(
  { id, requests, process }: AccessQuestion,
  { session: { approvals }, state }: Ears,
): Promise<void> {
  const denied = await askAll(
    approvals,
    requests.map((asked) => ({ ...asked, process })),
  );
  if (denied !== undefined) for (const asked of requests) state.denials.set(keyOf(asked), denied.message);
  tell(state, { kind: 'answer', id, answer: denied === undefined ? 'allow' : 'deny' });
  wakeUp(state);
}

function keyOf({ request, verdict }: Pick<Enforced, 'request' | 'verdict'>): string {
  return JSON.stringify([request, verdict.rule]);
}

/** Events that come together are written together: a compiler opens a thousand files in a second. */
function note(event: Enforced, { session, state, fail }: Ears): void {
  const told =
    event.kind === 'refused' && event.verdict.decision === 'ask'
      ? { ...event, verdict: unapproved(event, state) }
      : event;
  if (told.kind === 'refused') {
    // Repeated attempts are reported once.
    const key = keyOf(told);
    if (state.told.has(key)) return;
    // The journal also gets refusals beyond the limit: a flood of refusals must not hide the one that matters.
    if (state.told.size < mostRefusals) {
      state.told.add(key);
      state.refusals.push({ request: told.request, verdict: told.verdict });
    }
  }
  if (state.pending.length === 0) setImmediate(() => flush(session, state, fail));
  state.pending.push(eventOf(told, session));
}

/** Adds the outcome of the question to the message. */
function unapproved(event: Pick<Enforced, 'request' | 'verdict'>, { denials }: State): Verdict {
  const key = keyOf(event);
  const how = denials.get(key) ?? 'it was not approved';
  denials.delete(key);
  return { ...event.verdict, message: `${event.verdict.message}; ${how}` };
}

function eventOf({ kind, request, verdict, entry }: Enforced, { id, place }: SupervisedSession): JournalEvent {
  const common = { session: id, workspace: place.workspace.root, request, verdict };
  return kind === 'refused'
    ? { type: 'refusal', ...common, observed: 'enforcement' }
    : { type: 'enforcement', ...common, outcome: kind, ...(entry === undefined ? {} : { entry }) };
}

/** If an event cannot be written to the journal, the box is ended. */
function flush({ place }: SupervisedSession, state: State, fail: (cause: unknown) => void): void {
  const events = state.pending.splice(0);
  if (events.length === 0) return;
  try {
    appendEvents(place.paths.journal, events);
  } catch (error) {
    fail(error);
  }
}

function tell({ thread }: State, message: ToThread, transfer: readonly MessagePort[] = []): void {
  thread?.worker.postMessage(message, transfer);
}

function wakeUp({ thread }: State): void {
  if (thread !== undefined) writeSync(thread.wake, Buffer.from([1, 0, 0, 0, 0, 0, 0, 0]));
}

function failure(cause: unknown): HoldfastError {
  if (cause instanceof HoldfastError) return cause;
  const details = isKernelError(cause) ? { stage: cause.syscall, path: '', errno: cause.code } : {};
  return new HoldfastError(
    'HF_NOTIFY_FAILED',
    `the supervisor of the box failed: ${cause instanceof Error ? cause.message : String(cause)}`,
    { remedy: 'the box was ended with it; run the command again, and see `holdfast doctor`', cause, details },
  );
}
