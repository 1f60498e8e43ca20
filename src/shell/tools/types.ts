import type { HostEffect, Opacity, PathEffect, RunEffect, Word } from '../types.ts';

/**
 * Facts about one program's arguments. The specification is an allow-list: an unlisted option is not understood. An
 * option is listed only once its reads, writes, hosts and programs are known. Abbreviated long options count as
 * unknown.
 */
export interface ToolSpec {
  /** Bare names of the program or the subcommand. The first one is canonical. */
  readonly names: readonly string[];
  readonly grammar: Grammar;
  readonly options: readonly OptionSpec[];
  readonly operands: OperandPlan;
  /** Matched with the first operand, if there are any. Another word is not understood. */
  readonly subcommands?: readonly ToolSpec[];
  /** Effects for all arguments: `make` runs the makefile. */
  readonly always?: readonly StandingEffect[];
  /**
   * Meaning of the word `-` as a file to read or write. Default: a standard stream. For `cp` or `rm`, a file of that
   * name.
   */
  readonly dash?: 'file';
  /**
   * `harmless`: any option that a file name may spell only changes the display. So `ls *.md` is understood, though a
   * file may be called `-R.md`. `never-with-suffix`: no letter of a cluster takes a value, so that a file called `-rf.md`
   * is an error. Only for programs whose options are all listed.
   */
  readonly anyOption?: 'harmless' | 'never-with-suffix';
  /** For languages within arguments that a table cannot express: find expressions, sed scripts. Pure. */
  readonly refine?: Refine;
}

/**
 * `getopt`: options anywhere, clusters (`-rf`), `--name`, `--name=value`, `--` ends them. `getopt-posix`: the same up
 * to the
 * first operand. `long`: one or two dashes and a whole name (`-name value`, `-name=value`), no clusters. `long-posix`:
 * the same up to the first operand. `words`: no options; everything is an operand (`dd if=…`, `test`).
 */
export type Grammar = 'getopt' | 'getopt-posix' | 'long' | 'long-posix' | 'words';

export interface OptionSpec {
  /**
   * Every spelling: `['-r', '-R', '--recursive']`. Rules treat them as one. `-#` is a number as an option (`head -20`).
   * Among letters, a longer name with one dash (`-nv`) matches only the whole word. In the grammar `long`, a name that
   * ends in `*` carries its value in the same word: `-D*`.
   */
  readonly names: readonly string[];
  /** Default: `none`. An `optional` value must be attached (`--color=always`, `-i.bak`). */
  readonly value?: 'none' | 'required' | 'optional';
  /** Role of the value. Default: `text`. */
  readonly role?: Role;
  /** Replaces the operands' roles: with `cp -t DIR` all of them are sources. */
  readonly operands?: OperandPlan;
  /** Operand paths include everything below them: `-r` of `cp`, `rm` and `grep`. */
  readonly deep?: true;
  /** Effect of the option itself: `tar --to-command` runs, `-u` of `sort` does nothing. */
  readonly effect?: StandingEffect;
}

export type Role =
  | 'text' // neither a path, nor a host, nor code
  | 'read'
  | 'read-tree'
  | 'write'
  | 'write-tree'
  | 'delete'
  | 'delete-tree' // paths
  | 'directory' // base of later relative paths (`git -C`, `make -C`)
  | 'host' // a name or address, with user@ or :port
  | 'url'
  | 'remote' // `host:path` or `user@host:path` as in rsync and scp; without a host, a tree that is read
  | 'remote-write' // the same as a destination; without a host, a tree that is written
  | 'command' // this word and all following ones are a command of their own
  | 'command-list' // words of a command up to `;` or `+`
  | 'word-list' // the same, if the refinement adds words before it is a command
  | 'script' // shell text
  | 'program' // one word that names a program, or a shell text that does (`GIT_SSH_COMMAND`)
  | 'code' // code of another language
  | 'code-file' // a file that is run
  | 'assignment' // `NAME=value` before a command, as in env; ends at the first word without `=`
  | 'refused'; // understood, and never harmless

export type OperandPlan =
  | { readonly kind: 'none' }
  /** `absent`: the default word without operands (`ls` lists `.`). */
  | { readonly kind: 'each'; readonly role: Role; readonly absent?: string }
  /**
   * The first operands by position, then `rest`, then the last one, if `last` is set and an operand is left for it.
   * `absent` replaces `rest`.
   */
  | {
      readonly kind: 'sequence';
      readonly first: readonly Role[];
      readonly rest?: Role;
      readonly last?: Role;
      readonly absent?: string;
    };

export type StandingEffect =
  | { readonly kind: 'opaque'; readonly reason: Opacity['kind']; readonly message: string }
  | { readonly kind: 'runs'; readonly runs: RunEffect }
  | { readonly kind: 'reads' | 'writes'; readonly path: string; readonly scope: PathEffect['scope'] }
  | { readonly kind: 'host'; readonly host: string; readonly port?: number };

/** Arguments parsed by a specification. Total: words that do not fit are in `unknown`. */
export interface ParsedArguments {
  readonly options: readonly ParsedOption[];
  readonly operands: readonly Word[];
  readonly unknown: readonly Unknown[];
}

export interface ParsedOption {
  readonly spec: OptionSpec;
  /** As spelled, without the value. */
  readonly spelled: string;
  readonly value?: Word;
  /** For the roles `command`, `command-list` and `word-list`: the words of the command. */
  readonly words?: readonly Word[];
}

export interface Unknown {
  readonly kind: 'unknown-option' | 'dynamic-word';
  readonly word: Word;
}

/** Adds to the tables' effects. `path` resolves a word like an operand of this command. */
export type Refine = (parsed: ParsedArguments, context: RefineContext) => Refinement;

export interface RefineContext {
  readonly cwd: string | 'unknown';
  readonly path: (word: Word, use: PathEffect['use'], scope: PathEffect['scope']) => PathEffect;
}

export interface Refinement {
  readonly reads?: readonly PathEffect[];
  readonly writes?: readonly PathEffect[];
  readonly runs?: readonly RunEffect[];
  readonly hosts?: readonly HostEffect[];
  readonly opaque?: readonly Opacity[];
  /** Commands named by its arguments. They become invocations of their own. */
  readonly commands?: readonly (readonly Word[])[];
  /** Shell texts that it runs. */
  readonly scripts?: readonly Word[];
  /** Absolute directory of those commands, if it differs from the tool's. */
  readonly directory?: string | 'unknown';
}
