import type * as v from 'valibot';
import type { Call } from '../server/open-call.ts';
import type { RequestTally } from '../server/request-tally.ts';
import type { ServedCommands } from '../server/served-command.ts';
import type { HookAnswers, ListedRun, ServedSessions } from '../server/served-sessions.ts';

/** State for answering requests. */
export interface ServerState {
  readonly sessions: ServedSessions;
  readonly commands: ServedCommands;
  readonly hooks: HookAnswers;
  readonly tally: RequestTally;
  /** Runs of a resident supervisor. Empty for other servers. */
  readonly runs: () => readonly ListedRun[];
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Ends the server once all pending answers are sent. */
  end(): void;
}

/** A server's facts about itself for its metrics. */
export type ServerFacts = Pick<ServerState, 'sessions' | 'commands' | 'tally'> & { readonly clients: number };

/** A kind of request: its schema, and the way to answer it. A thrown error is an answer too. */
export interface RequestHandler<S extends v.GenericSchema, R> {
  readonly schema: S;
  readonly answer: (request: v.InferOutput<S>, call: Call, server: ServerState) => Promise<R>;
}

export function requestHandler<S extends v.GenericSchema, R>(kind: RequestHandler<S, R>): RequestHandler<S, R> {
  return kind;
}
