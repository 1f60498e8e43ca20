import type { HostEffect, Opacity, PathEffect, RunEffect, Word } from '../types.ts';

/**
 * Facts about one program's arguments. The specification is an allow-list: an unlisted option is not understood. An
 * option is listed only once its reads, writes, hosts and programs are known. Abbreviated long options count as
 * unknown.
 */
export interface ToolSpec {
  /** Bare names of the program, or of the subcommand. The first one is canonical. */
  readonly names: readonly string[];
  readonly grammar: Grammar;
  readonly options: readonly OptionSpec[];
  readonly operands: OperandPlan;
  /** Tried with the first operand, when there are any; a word that is none of them is not understood. */
  readonly subcommands?: readonly ToolSpec[];
  /** What it does whatever its arguments are: `make` runs the makefile. */
  readonly always?: readonly StandingEffect[];
  /**
   * Meaning of the word `-` as a file to read or write. Default: a standard stream. For `cp` or `rm`, a file of that
   * name.
   */
  readonly dash?: 'file';
  /**
   * `harmless`: whatever option the name of a file spells, it only changes what is shown. So `ls *.md` is understood,
   * though a
   * file may be called `-R.md`. Only where every option of the program is listed.
   */
  readonly anyOption?: 'harmless';
  /** For languages within arguments that a table cannot say: expressions of find, scripts of sed. Pure. */
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
   * Every spelling: `['-r', '-R', '--recursive']`. They are one thing for rules. `-#` is a number as an option (`head
   * -20`). Among letters a longer name with one dash (`-nv`) stands only for the whole word.
   * With the grammar `long`, a name that ends in `*` carries its value in the same word: `-D*`.
   */
  readonly names: readonly string[];
  /** Default `none`. `optional` values are attached only (`--color=always`, `-i.bak`). */
  readonly value?: 'none' | 'required' | 'optional';
  /** What the value is. Default `text`. */
  readonly role?: Role;
  /** Replaces what the operands are: with `cp -t DIR` all of them are sources. */
  readonly operands?: OperandPlan;
  /** The paths of operands are meant with everything below them: `-r` of `cp`, `rm` and `grep`. */
  readonly deep?: true;
  /** What the option does by itself: `tar --to-command` runs, `-u` of `sort` nothing. */
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
  | 'directory' // further paths are relative to it (`git -C`, `make -C`)
  | 'host' // a name or address, with user@ or :port
  | 'url'
  | 'remote' // `host:path` or `user@host:path` as rsync and scp take them; where there is no host, a tree that is read
  | 'remote-write' // the same as a destination: where there is no host, a tree that is written
  | 'command' // this word and all that follow are a command of their own
  | 'command-list' // words of a command up to `;` or `+`
  | 'word-list' // the same, where the refinement puts words into it before it is a command
  | 'script' // text of the shell
  | 'program' // one word that names a program, or a shell text that does (`GIT_SSH_COMMAND`)
  | 'code' // code of another language
  | 'code-file' // a file that is run
  | 'assignment' // `NAME=value` before a command, as env takes them; ends at the first word without `=`
  | 'refused'; // understood, and never harmless

export type OperandPlan =
  | { readonly kind: 'none' }
  /** `absent`: the word that is taken when there is none (`ls` lists `.`). */
  | { readonly kind: 'each'; readonly role: Role; readonly absent?: string }
  /**
   * The first operands by place, then `rest`, then the last one when `last` is there and an operand is left for it.
   * `absent` stands for `rest`.
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

/** Arguments taken apart by a specification. Total: what does not fit is in `unknown`. */
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
  /** Of the roles `command`, `command-list` and `word-list`: the words of the command. */
  readonly words?: readonly Word[];
}

export interface Unknown {
  readonly kind: 'unknown-option' | 'dynamic-word';
  readonly word: Word;
}

/** Adds to what the tables say. `path` resolves a word as an operand of this command would be. */
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
  /** Commands that its arguments name: they become invocations of their own. */
  readonly commands?: readonly (readonly Word[])[];
  /** Shell texts that it runs. */
  readonly scripts?: readonly Word[];
  /** Where those commands run, when it is another directory than that of the tool. Absolute. */
  readonly directory?: string | 'unknown';
}
