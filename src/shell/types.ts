/**
 * The shell room: the effects of a command line as its text shows them. It lists programs, paths that are read or
 * written, and hosts. Pure: a text and a working directory go in, an `Analysis` comes out. Nothing is looked up on the
 * machine.
 *
 * Analysis decides questions and explanations, but the box enforces. Anything not understood is reported as an
 * `Opacity` with a reason: this room must never miss something silently. It uses no policies, file systems, processes
 * or clocks, because the load of the machine must not change a decision.
 */
import type { CommandClass } from './class/command-class.ts';

/** Offsets of UTF-16 code units in the analysed text: `start` inclusive, `end` exclusive. */
export interface TimeSpan {
  readonly start: number;
  readonly end: number;
}

/** One word of a command, as far as it is known before the command runs. */
export type Word = StaticWord | GlobWord | DynamicWord;

/** The program gets exactly this word, without quotes and escapes. */
export interface StaticWord {
  readonly kind: 'static';
  readonly value: string;
  /** For `~` and `~/…`: `value` is the text after the home directory. */
  readonly lead?: 'home';
  readonly span: TimeSpan;
}

/**
 * A pathname pattern: the program gets any number of words, each of which begins with `prefix`. With an empty prefix,
 * one of them may look like an option (a file called `-rf`).
 */
export interface GlobWord {
  readonly kind: 'glob';
  /** As written. */
  readonly text: string;
  readonly prefix: string;
  readonly span: TimeSpan;
}

/** A word whose value cannot be known: expansions, substitutions, arithmetic, braces that expand. */
export interface DynamicWord {
  readonly kind: 'dynamic';
  readonly text: string;
  readonly because: 'expansion' | 'substitution' | 'arithmetic' | 'brace' | 'tilde' | 'unreadable';
  /**
   * It begins with a letter, a digit, `_`, `.`, `/` or `:`, or is empty. `name-alone`: it is one word without quotes.
   * `number`: the same, and it may begin with a minus.
   */
  readonly starts?: 'name' | 'name-alone' | 'number';
  readonly span: TimeSpan;
}

export interface Assignment {
  readonly name: string;
  readonly value: Word;
  readonly span: TimeSpan;
}

export interface Redirect {
  readonly use: 'read' | 'write' | 'append' | 'read-write';
  /** A path. Duplicated descriptors (`2>&1`) are not redirects. */
  readonly target: Word;
  readonly span: TimeSpan;
}

/** `text`: a here-document or here-string. `code` is set if nothing in it expands. */
export type Stdin =
  | { readonly kind: 'inherited' }
  | { readonly kind: 'pipe'; readonly from: number | undefined }
  | { readonly kind: 'file'; readonly path: Word }
  | { readonly kind: 'text'; readonly text: string | undefined };

/**
 * One command that would run: a program, a builtin or a function, with its words. Assignments alone have an empty
 * `argv`.
 */
export interface Invocation {
  /** Position in the list. */
  readonly id: number;
  /** The command that runs it: a wrapper, or the command that contains the substitution. Undefined at the top level. */
  readonly parent: number | undefined;
  /**
   * `script`: a command of the text itself. `substitution`: within `$( )`, backticks or `<( )`. `wrapped`: named by
   * another program's arguments.
   */
  readonly relation: 'script' | 'substitution' | 'wrapped';
  readonly argv: readonly Word[];
  readonly assignments: readonly Assignment[];
  readonly redirects: readonly Redirect[];
  readonly stdin: Stdin;
  /** Absolute path. `unknown` after a `cd` that cannot be followed. */
  readonly cwd: string | 'unknown';
  /** `conditional`: it may not run at all, as after `&&`, in a branch, a loop or a function. */
  readonly runs: 'always' | 'conditional';
  /** Functions of the text around it, the innermost last. Undefined outside of functions. */
  readonly inside?: readonly string[];
  /** A loop that does not end by itself starts it repeatedly, without waiting for it. */
  readonly floods?: true;
  /** The text starts it with `&` or as a coprocess, and does not wait for it. */
  readonly goesOn?: true;
  /** Position in the analysed text. For a command of a nested script, the position of that script. */
  readonly span: TimeSpan;
}

/** Why something is not understood. A part with a reason is asked about, and never allowed by itself. */
export interface Opacity {
  readonly kind:
    | 'syntax' // the text is not a valid program of the shell
    | 'uncovered' // a substitution that no visited node accounts for
    | 'budget' // too many nodes, too deep, or too slow
    | 'shell' // a language that is not parsed: cmd, fish, PowerShell without PowerShell
    | 'dynamic-program' // the program's name is dynamic
    | 'dynamic-word' // a word that could be an option or a path is dynamic
    | 'unknown-tool' // no specification
    | 'unknown-option' // missing from the specification, or abbreviated
    | 'inline-code' // code of another language, or a dynamic shell script
    | 'stdin-code' // runs its input
    | 'repository-code'; // runs code that the repository configures or contains: hooks, scripts, makefiles
  /** One clause for a person, with the matched words: "`--rsh` runs a program". */
  readonly message: string;
  readonly span: TimeSpan;
  /** `tool`: applies to every command of the tool or subcommand, with any words: `npm publish` changes the registry. */
  readonly concerns?: 'tool';
  /** Upper bound of its effects. Default: `anything`. */
  readonly atMost?: CommandClass;
}

export interface PathEffect {
  readonly use: 'read' | 'write' | 'delete';
  /** `tree`: includes everything below it. */
  readonly scope: 'file' | 'tree';
  /** Absolute and normalised. For a glob: the directory below which it can match. Undefined if unknown. */
  readonly path: string | undefined;
  /** As written. */
  readonly text: string;
}

export interface HostEffect {
  /** As written in the URL or operand, without user and port. Undefined if unknown. */
  readonly host: string | undefined;
  readonly port: number | undefined;
  readonly text: string;
}

export interface RunEffect {
  /** Absolute path or bare name of a program, or a description: "the pre-commit hook". */
  readonly what: string;
  readonly kind: 'program' | 'repository-code' | 'inline-code';
}

export interface Effects {
  readonly reads: readonly PathEffect[];
  readonly writes: readonly PathEffect[];
  readonly runs: readonly RunEffect[];
  readonly hosts: readonly HostEffect[];
  readonly opaque: readonly Opacity[];
}

export interface AnalysedInvocation extends Invocation {
  /** Canonical name of the tool whose specification was used, such as `git log`. Undefined without a specification. */
  readonly tool: string | undefined;
  readonly effects: Effects;
}

/** The effects of a command line, as far as its text shows them. */
export interface Analysis {
  /** `shell`: commands without a parent belong to a shell's text, and did not enter by themselves. */
  readonly top?: 'shell';
  /** In the order of the text. A wrapped command follows its wrapper. */
  readonly invocations: readonly AnalysedInvocation[];
  /** Reasons about the text as a whole. If there is one, the list of invocations is incomplete. */
  readonly opaque: readonly Opacity[];
}
