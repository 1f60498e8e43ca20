import { type FSWatcher, lstatSync, readdirSync, rmSync, watch } from 'node:fs';
import { join } from 'node:path';
import type { AnswerResult, ApprovalOutcome, PendingApproval } from '../types.ts';
import { connectSession, type GivenAnswer, type SessionConnection } from './connect-session.ts';
import type { ServerMessage, SocketChannel } from './messages.ts';
import { makeSocketDirectory, prepareToKnowPeers } from './socket-place.ts';

export interface WatchApprovalsOptions {
  /** As in `StatePaths`: the parent of the sockets' directory. */
  readonly runtime: string;
  /** Channel of the watcher. The journal records it with each answer. */
  readonly channel: SocketChannel;
  /** Called after each change. Questions that already wait also arrive as `asked`. Default: no call. */
  readonly onChange?: (change: WatchedChange) => void;
}

export type WatchedChange =
  | { readonly kind: 'asked'; readonly approval: PendingApproval }
  | { readonly kind: 'resolved'; readonly approval: PendingApproval; readonly outcome: ApprovalOutcome }
  /** The session is gone, was killed or lost its connection. */
  | { readonly kind: 'lost'; readonly approval: PendingApproval };

/** Follows all sessions of this user until closed, and keeps the process alive. */
export interface ApprovalWatch {
  /**
   * Resolves once all questions that waited at the start are known. Waits at most three seconds for a silent session.
   */
  readonly ready: Promise<void>;
  /** Lists approvals of all sessions, oldest first. */
  pending(): readonly PendingApproval[];
  /** Sends an answer to the question's session. `unknown` if no such question waits. */
  answer(answer: GivenAnswer): Promise<AnswerResult>;
  close(): void;
  /** The end of the place that is followed, if it has one. Never rejects. */
  readonly ended?: Promise<void>;
}

/** Milliseconds between looks at the directory, for systems that report no changes. */
const rescan = 2000;
const readyPatience = 3000;

/** Throws `HF_STATE_UNWRITABLE` if the sockets' directory cannot be trusted. */
export function watchApprovals({ runtime, channel, onChange = () => undefined }: WatchApprovalsOptions): ApprovalWatch {
  const directory = makeSocketDirectory(runtime);
  // A session waits only half a second, so load the parts that check its peer first.
  prepareToKnowPeers();
  const state: WatchState = { directory, channel, onChange, sessions: new Map(), closed: false };
  const look = (): readonly Promise<void>[] =>
    state.closed
      ? []
      : namesIn(directory)
          .filter((name) => !state.sessions.has(name))
          .map((name) => follow(state, name));
  const watcher = watchDirectory(directory, () => void look());
  const timer = setInterval(look, rescan);
  const first = look();
  return {
    ready: Promise.race([Promise.all(first), sleep(readyPatience)]).then(() => undefined),
    pending: () =>
      [...state.sessions.values()]
        .flatMap(({ pending }) => [...pending.values()])
        .sort((one, other) => one.askedAt - other.askedAt),
    answer: async (answer) => {
      const session = [...state.sessions.values()].find(({ pending }) => pending.has(answer.hash));
      return (await session?.connection)?.answer(answer) ?? { kind: 'unknown' };
    },
    close() {
      state.closed = true;
      clearInterval(timer);
      watcher?.close();
      for (const { connection } of state.sessions.values())
        void connection?.then((open) => open.close()).catch(() => undefined);
    },
  };
}

interface WatchState {
  readonly directory: string;
  readonly channel: SocketChannel;
  readonly onChange: (change: WatchedChange) => void;
  readonly sessions: Map<string, FollowedSession>;
  closed: boolean;
}

interface FollowedSession {
  connection: Promise<SessionConnection> | undefined;
  readonly pending: Map<string, PendingApproval>;
}

/** Resolves once all waiting questions of a session are known, or it is gone. */
function follow(state: WatchState, name: string): Promise<void> {
  const session: FollowedSession = { connection: undefined, pending: new Map() };
  state.sessions.set(name, session);
  return new Promise((resolve) => {
    const closed = (): void => {
      state.sessions.delete(name);
      for (const approval of session.pending.values()) state.onChange({ kind: 'lost', approval });
      resolve();
    };
    const hear = (message: ServerMessage): void => {
      if (message.kind === 'ready') resolve();
      else note(session, message, state.onChange);
    };
    session.connection = connectSession({
      directory: state.directory,
      session: name,
      channel: state.channel,
      hear,
      closed,
    });
    session.connection.then(
      (open) => (state.closed ? open.close() : undefined),
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'ECONNREFUSED') rmSync(join(state.directory, name), { force: true });
        closed();
      },
    );
  });
}

function note({ pending }: FollowedSession, message: ServerMessage, onChange: WatchState['onChange']): void {
  if (message.kind === 'pending' || message.kind === 'asked') {
    // A session that asks twice with one hash gets one answer.
    if (pending.has(message.approval.hash)) return;
    pending.set(message.approval.hash, message.approval);
    onChange({ kind: 'asked', approval: message.approval });
  } else if (message.kind === 'resolved') {
    const approval = pending.get(message.hash);
    pending.delete(message.hash);
    if (approval !== undefined) onChange({ kind: 'resolved', approval, outcome: message.outcome });
  }
}

/**
 * Lists sockets. Names with a dot do not listen yet, and those of killed sessions are removed. If the directory is
 * gone, as after a logout, the list is empty, and the next session makes it again.
 */
function namesIn(directory: string): readonly string[] {
  const names = entriesOf(directory);
  for (const name of names)
    if (name.startsWith('.') && isOld(join(directory, name))) rmSync(join(directory, name), { force: true });
  return names.filter((name) => !name.startsWith('.'));
}

function entriesOf(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/** Milliseconds. A new socket gets its final name much sooner. */
const oldAge = 60_000;

function isOld(path: string): boolean {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  return facts !== undefined && Date.now() - facts.mtimeMs > oldAge;
}

/** If the system has no watches left, only the regular checks remain. */
function watchDirectory(directory: string, look: () => void): FSWatcher | undefined {
  try {
    return watch(directory, look).on('error', () => undefined);
  } catch {
    return undefined;
  }
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, milliseconds).unref());
}
