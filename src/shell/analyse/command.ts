import type { ParsedCommand } from '../parse/meter.ts';
import type { Effects, Word } from '../types.ts';

/** One command on the work list. Commands refer to each other, and get their numbers when all are known. */
export interface FoundCommand {
  readonly parsed: Omit<ParsedCommand, 'id' | 'parent'>;
  readonly parent: FoundCommand | undefined;
  /** The stage of the pipeline before it. */
  readonly from: FoundCommand | undefined;
  readonly scope: TextScope;
  /**
   * What its name stands for: a function of the text, a program, or either where the function may not be defined by
   * then.
   */
  readonly calls: 'program' | 'function' | 'either';
  readonly shells: Shells;
  /** Wrappers and scripts around it. */
  readonly depth: number;
  /** Its place in the list; -1 until it is read. */
  id: number;
  cwd: string | 'unknown';
  /** Where the directory is not known: all that it may be, if that is. */
  either?: Either;
}

/** A `cd` has moved the shell or has failed: all directories that are left. Undefined where nobody knows them. */
export type Either = readonly string[] | undefined;

export interface Directory {
  readonly cwd: string | 'unknown';
  readonly either: Either;
}

/** A shell process, as far as its directory tells. */
export interface Shell {
  /** Where it was when it began. */
  readonly start: Directory;
  cwd: string | 'unknown';
  either: Either;
  /** While `provisional`: where it is if one of the commands before has failed. */
  before: Either;
  /** The directory is right only for commands that run because `cd` succeeded. */
  provisional: boolean;
}

/** The shells of one text: those that have been entered, and for each number the shell that it is a copy of. */
export interface Shells {
  readonly entered: Map<number, Shell>;
  readonly copies: readonly (number | undefined)[];
}

/** What holds for all commands of one text. */
export interface TextScope {
  readonly defined: ReadonlySet<string>;
  /**
   * A command of a branch, a loop or a function changes the directory, or one that stands beside a function: nobody
   * knows how often.
   */
  readonly wanders: boolean;
  /** Of the text, and so of what `eval` and `trap` run in it. */
  readonly language: Language;
}

/** What one command does, and what it runs in its turn. */
export interface CommandReading {
  readonly tool: string | undefined;
  readonly effects: Effects;
  readonly children: readonly Child[];
  readonly moves: Move;
}

/** What becomes of the directory of the shell that the command is part of. */
export type Move =
  | { readonly kind: 'stays' }
  | { readonly kind: 'to'; readonly path: string }
  | { readonly kind: 'anywhere' };

/** `shell`: `same` where the child runs in the shell itself, as `eval` does, and may move it. */
export type Child = { readonly shell: 'own' | 'same'; readonly directory: string | 'unknown' } & (
  | { readonly kind: 'command'; readonly argv: readonly Word[]; readonly assignments: ParsedCommand['assignments'] }
  | { readonly kind: 'script'; readonly text: Word; readonly language: Language }
);

/**
 * How a text is read: as bash does, as any POSIX shell might, which bash reads in its own way, or as PowerShell has
 * told.
 */
export type Language = 'bash' | 'posix' | 'powershell';

export const stays: Move = { kind: 'stays' };
export const anywhere: Move = { kind: 'anywhere' };
