import type { HostAnswer, FailureReason, HostCall, LogLevel, ToHost } from '../protocol/messages.ts';

export type Load = Extract<ToHost, { readonly kind: 'load' }>;

/** Runs one tool, each time from its beginning. */
export interface Engine {
  run(input: Buffer): EngineOutcome;
  /** Prepares the next run while nobody waits. Call only after a run that `stays`. */
  prepare?(): void;
}

/** `leaves`: the engine cannot be trusted to run again. */
export type EngineOutcome = { readonly afterwards: 'stays' | 'leaves' } & (
  | { readonly kind: 'output'; readonly data: Buffer }
  | { readonly kind: 'failed'; readonly reason: FailureReason; readonly message: string }
);

/** The only doors of a guest. Both lead to the supervisor, which decides. */
export interface Bridge {
  call(call: HostCall): HostAnswer;
  log(level: LogLevel, text: string): void;
}

/** A reason of the engine itself to end a tool. */
export class ToolFailure extends Error {
  readonly reason: FailureReason;

  constructor(reason: FailureReason, message: string) {
    super(message);
    this.reason = reason;
  }
}
