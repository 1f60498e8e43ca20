import type * as v from 'valibot';
import type { Call } from '../server/open-call.ts';
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

/** Counts requests and errors of a server. */
export class RequestTally {
  /** Requests that were understood, by kind. */
  readonly requests = new Map<string, number>();
  /** Answers that are errors, by code. */
  readonly errors = new Map<string, number>();

  request(name: string): void {
    this.requests.set(name, (this.requests.get(name) ?? 0) + 1);
  }

  error(code: string): void {
    this.errors.set(code, (this.errors.get(code) ?? 0) + 1);
  }
}
