/** A sandbox that a server holds. */
export interface ListedSession {
  readonly name: string;
  /** Of the sandbox, as the journal has it. */
  readonly id: string;
  readonly workspace: string;
  /** Milliseconds since 1970. */
  readonly openedAt: number;
  /** The staged layer that its writes go to. */
  readonly layer?: string;
}

/** A command of `holdfast run` whose box a resident supervisor serves. */
export interface ListedRun {
  /** Of the process that a person started, which became the launcher. */
  readonly pid: number;
  /** After `holdfast run`. */
  readonly words: readonly string[];
  readonly cwd: string;
  /** Milliseconds since 1970. */
  readonly askedAt: number;
}

/** `queued`: it waits for others to start. `failed`: there was no box, or nothing to run in it. */
export type CommandState = 'queued' | 'running' | 'ended' | 'failed';

/** A command of a server. */
export interface ListedCommand {
  /** Unique in its server. */
  readonly id: string;
  readonly session: string;
  readonly argv: readonly string[];
  /** Milliseconds since 1970. */
  readonly askedAt: number;
  readonly state: CommandState;
  /** Of the first process of its box, as the host counts. */
  readonly pid?: number;
  /** Once it has ended: 0 to 255, 128+n for a signal. */
  readonly exitCode?: number;
  /** Why there was no command. */
  readonly message?: string;
  /** `terminal`: it has one of its own, and can be typed to. */
  readonly streams: 'pipes' | 'terminal';
  /** How many look on. */
  readonly attached: number;
}
