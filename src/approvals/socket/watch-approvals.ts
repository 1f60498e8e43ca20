import { type FSWatcher, lstatSync, readdirSync, rmSync, watch } from 'node:fs';
import { join } from 'node:path';
import type { AnswerResult, ApprovalOutcome, PendingApproval } from '../types.ts';
import { connectSession, type GivenAnswer, type SessionConnection } from './connect-session.ts';
import type { ServerMessage, SocketChannel } from './messages.ts';
import { makeSocketDirectory, prepareToKnowPeers } from './socket-place.ts';

export interface WatchApprovalsOptions {
  /** As in `StatePaths`: the parent of the directory with the sockets. */
  readonly runtime: string;
  /** Who looks; the journal has it with each answer. */
  readonly channel: SocketChannel;
  /**
   * Called after each change. What waits already when the watch begins comes as `asked` too. Default: nobody is told.
   */
  readonly onChange?: (change: WatchedChange) => void;
}

export type WatchedChange =
  | { readonly kind: 'asked'; readonly approval: PendingApproval }
  | { readonly kind: 'resolved'; readonly approval: PendingApproval; readonly outcome: ApprovalOutcome }
  /** Its session is gone, killed or lost. */
  | { readonly kind: 'lost'; readonly approval: PendingApproval };

/** Follows every session of this user, until it is closed; it keeps the process alive until then. */
export interface ApprovalWatch {
  /**
   * When all that waited at the beginning is known; a session that says nothing is not waited for longer than three
   * seconds.
   */
  readonly ready: Promise<void>;
  /** Oldest first, of all sessions. */
  pending(): readonly PendingApproval[];
  /** Tells the session of the question. `unknown` when nothing with this hash waits. */
  answer(answer: GivenAnswer): Promise<AnswerResult>;
  close(): void;
}

/** Milliseconds between looks at the directory, for systems that tell of no change. */
const rescan = 2000;
const readyPatience = 3000;

/** Throws `HF_STATE_UNWRITABLE` where the directory of the sockets cannot be relied on. */
export function watchApprovals({ runtime, channel, onChange = () => undefined }: WatchApprovalsOptions): ApprovalWatch {
  const directory = makeSocketDirectory(runtime);
  // A session waits for half a second: what is needed to look at who listens is there before the first one is.
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

/** Resolves when all of it that waited is known, or when it is gone. */
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
    // Anyone who asks twice for one hash waits for one answer.
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
 * Names with a dot are sockets that do not listen yet; those of sessions that were killed meanwhile are removed. A
 * directory that is gone, as that of a login is when it ends, has none; the next session makes it again.
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

/** Milliseconds: a socket that is made gets its name within one. */
const oldAge = 60_000;

function isOld(path: string): boolean {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  return facts !== undefined && Date.now() - facts.mtimeMs > oldAge;
}

/** Where watches are used up, the looks remain. */
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
