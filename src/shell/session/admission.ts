import type { PinnedProgram } from '../../notify/types.ts';
import type { PlannedCommand } from '../../plan/types.ts';

/** A command that wants to enter a box. */
export interface Entering {
  readonly argv: readonly string[];
  /** Absolute, inside the box. */
  readonly cwd: string;
  /** Added to what the policy lets through. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The command as it starts: a rule may have put another one in its place, or given it variables. */
export interface Admitted {
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /**
   * What someone has been asked about, and what was put in the place of something else, for when the box starts it.
   */
  readonly settled: NonNullable<PlannedCommand['settled']>;
}

/** `asked`: someone has to be asked first. */
export type CommandAdmission =
  | { readonly kind: 'admitted'; readonly command: Admitted }
  | { readonly kind: 'asked'; readonly answer: () => Promise<Admitted> };

/** Judges every command that enters the boxes of one session. */
export interface CommandGuard {
  /** Programs that the policy calls by their names, as they were when the session began. */
  readonly pinned: readonly PinnedProgram[];
  /** Throws `HF_COMMAND_REFUSED` or `HF_PROGRAM_UNTRUSTED`; so does an answer that is no. */
  admit(command: Entering): CommandAdmission;
}
