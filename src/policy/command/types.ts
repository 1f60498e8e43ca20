import type { AnalysedInvocation, Opacity } from '../../shell/types.ts';
import type { ExecRequest } from '../request.ts';
import type { Decision, Verdict } from '../verdict.ts';

/** The file of a command's name. `planted`: the box can write it, directly or through a link. */
export type ResolvedProgram =
  | { readonly kind: 'found' | 'planted'; readonly path: string }
  | { readonly kind: 'missing' };

export interface CommandFacts {
  /**
   * Returns the file of a program with a static name. Undefined if it was not looked up, which allows nothing. Not
   * called for shell builtins.
   */
  readonly resolve: (invocation: AnalysedInvocation) => ResolvedProgram | undefined;
  /** Absolute path in the box. */
  readonly home: string;
  /** Absolute path in the box. */
  readonly workspace: string;
}

/** One reason for the verdict on a command line. */
export type CommandPart =
  /** One command of the line, decided by a rule or list, or because nothing objects. */
  | {
      readonly kind: 'invocation';
      readonly invocation: number;
      readonly request: ExecRequest;
      readonly verdict: Verdict;
      readonly environment: Readonly<Record<string, string>>;
    }
  /** An opaque part of it. `invocation` is undefined if the whole text is opaque. */
  | {
      readonly kind: 'opacity';
      readonly invocation: number | undefined;
      readonly opacity: Opacity;
      readonly verdict: Verdict;
    }
  /** The class of a command, if a policy objects to it. */
  | { readonly kind: 'class'; readonly invocation: number | undefined; readonly verdict: Verdict };

/** The verdict on a whole command line. */
export interface CommandVerdict {
  /** The strictest decision of its parts. If it is `ask`, an approval also lets redirected parts be redirected. */
  readonly decision: Decision;
  /** Parts in the order of the text. */
  readonly parts: readonly CommandPart[];
  /**
   * The part that decided it: of equally strict ones the innermost, then the first. Undefined for a text without
   * commands.
   */
  readonly decisive: CommandPart | undefined;
  readonly message: string;
  readonly remedy: string;
}
