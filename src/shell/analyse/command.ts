import type { ParsedCommand } from '../parse/meter.ts';
import type { Effects, Word } from '../types.ts';

/** One command on the work list. Commands refer to each other, and get their numbers once all are found. */
export interface FoundCommand {
  readonly parsed: Omit<ParsedCommand, 'id' | 'parent'>;
  readonly parent: FoundCommand | undefined;
  /** The previous stage of the pipeline. */
  readonly from: FoundCommand | undefined;
  readonly scope: TextScope;
  /** The target of its name: a function of the text, a program, or either if the function may not be defined yet. */
  readonly calls: 'program' | 'function' | 'either';
  readonly shells: Shells;
  /** Number of wrappers and scripts around it. */
  readonly depth: number;
  /** Position in the list; -1 until it is read. */
  id: number;
  cwd: string | 'unknown';
  /** If the directory is uncertain: all possible directories, if they are known. */
  either?: Either;
}

/** Directories that are possible after a `cd` that may have failed. Undefined if they are unknown. */
export type Either = readonly string[] | undefined;

export interface Directory {
  readonly cwd: string | 'unknown';
  readonly either: Either;
}

/** The state of a shell process that concerns its directory. */
export interface Shell {
  /** Its directory when it starts. */
  readonly start: Directory;
  cwd: string | 'unknown';
  either: Either;
  /** While `provisional`: its directory if one of the earlier commands has failed. */
  before: Either;
  /** The directory is right only for commands that run because `cd` succeeded. */
  provisional: boolean;
}

/** The shells of one text: those entered so far, and for each shell number the shell that it copies. */
export interface Shells {
  readonly entered: Map<number, Shell>;
  readonly copies: readonly (number | undefined)[];
}

/** Facts about all commands of one text. */
export interface TextScope {
  readonly defined: ReadonlySet<string>;
  /**
   * Whether a command changes the directory in a branch, loop or function, or anywhere in a text with functions. It is
   * unknown how often it runs.
   */
  readonly wanders: boolean;
  /** Language of the text, and so of the texts of its `eval` and `trap`. */
  readonly language: Language;
}

/** The effects of one command, and the commands that it runs. */
export interface CommandReading {
  readonly tool: string | undefined;
  readonly effects: Effects;
  readonly children: readonly Child[];
  readonly moves: Move;
}

/** A command's change to the directory of its shell. */
export type Move =
  | { readonly kind: 'stays' }
  | { readonly kind: 'to'; readonly path: string }
  | { readonly kind: 'anywhere' };

/** `shell`: `same` if the child runs in the shell itself, as with `eval`, and may change its directory. */
export type Child = { readonly shell: 'own' | 'same'; readonly directory: string | 'unknown' } & (
  | { readonly kind: 'command'; readonly argv: readonly Word[]; readonly assignments: ParsedCommand['assignments'] }
  | { readonly kind: 'script'; readonly text: Word; readonly language: Language }
);

/** The parser for a text: as bash does, as any POSIX shell might, or as PowerShell itself reports. */
export type Language = 'bash' | 'posix' | 'powershell';

export const stays: Move = { kind: 'stays' };
export const anywhere: Move = { kind: 'anywhere' };
