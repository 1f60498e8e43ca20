import type * as v from 'valibot';
import type { Call } from '../server/open-call.ts';
import type { ServedCommands } from '../server/served-command.ts';
import type { HookAnswers, ListedRun, ServedSessions } from '../server/served-sessions.ts';

/** What requests can be answered from. */
export interface ServerState {
  readonly sessions: ServedSessions;
  readonly commands: ServedCommands;
  readonly hooks: HookAnswers;
  /** Of a resident supervisor; empty for others. */
  readonly runs: () => readonly ListedRun[];
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Ends the server once the answers that are due have gone. */
  end(): void;
}

/** A kind of request: what it must look like, and how it is answered. What it throws is the answer too. */
export interface RequestHandler<S extends v.GenericSchema, R> {
  readonly schema: S;
  readonly answer: (request: v.InferOutput<S>, call: Call, server: ServerState) => Promise<R>;
}

export function requestHandler<S extends v.GenericSchema, R>(kind: RequestHandler<S, R>): RequestHandler<S, R> {
  return kind;
}
