import type { HostAnswer, FailureReason, HostCall, LogLevel, ToHost } from '../protocol/messages.ts';

export type Load = Extract<ToHost, { readonly kind: 'load' }>;

/** Runs one tool, from its beginning each time. */
export interface Engine {
  run(input: Buffer): EngineOutcome;
  /** Prepares the next run in advance. Call this only after a run that `stays`. */
  prepare?(): void;
}

/** `leaves`: the engine is not safe to use again. */
export type EngineOutcome = { readonly afterwards: 'stays' | 'leaves' } & (
  | { readonly kind: 'output'; readonly data: Buffer }
  | { readonly kind: 'failed'; readonly reason: FailureReason; readonly message: string }
);

/** The only functions through which a guest reaches outside. Both lead to the supervisor, which decides. */
export interface Bridge {
  call(call: HostCall): HostAnswer;
  log(level: LogLevel, text: string): void;
}

/** Thrown if the engine itself has a reason to end a tool. */
export class ToolFailure extends Error {
  readonly reason: FailureReason;

  constructor(reason: FailureReason, message: string) {
    super(message);
    this.reason = reason;
  }
}
