import type { PinnedProgram } from '../../notify/types.ts';
import type { PlannedCommand } from '../../plan/types.ts';

/** A command that is about to enter a box. */
export interface Entering {
  readonly argv: readonly string[];
  /** Absolute path inside the box. */
  readonly cwd: string;
  /** Variables added to those that the policy passes. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The command as it starts. A rule may have replaced it, or given it variables. */
export interface Admitted {
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Approved and replaced commands, for when the box starts them. */
  readonly settled: NonNullable<PlannedCommand['settled']>;
}

/** `asked`: the command needs an approval first. */
export type CommandAdmission =
  | { readonly kind: 'admitted'; readonly command: Admitted }
  | { readonly kind: 'asked'; readonly answer: () => Promise<Admitted> };

/** Judges every command that enters the boxes of one session. */
export interface CommandGuard {
  /** Programs that the policy names, as they were at the start of the session. */
  readonly pinned: readonly PinnedProgram[];
  /** Throws `HF_COMMAND_REFUSED` or `HF_PROGRAM_UNTRUSTED`. A refused approval throws them too. */
  admit(command: Entering): CommandAdmission;
}
