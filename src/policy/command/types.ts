import type { AnalysedInvocation, Opacity } from '../../shell/types.ts';
import type { ExecRequest } from '../request.ts';
import type { Decision, Verdict } from '../verdict.ts';

/** Which file a command's name stands for. `planted`: one that the box can write, be it through a link. */
export type ResolvedProgram =
  | { readonly kind: 'found' | 'planted'; readonly path: string }
  | { readonly kind: 'missing' };

export interface CommandFacts {
  /**
   * The file of a program whose name is static; undefined where nobody has looked for it, which allows nothing. Not
   * asked about what a shell does itself.
   */
  readonly resolve: (invocation: AnalysedInvocation) => ResolvedProgram | undefined;
  /** Of the box; absolute. */
  readonly home: string;
  /** Of the box; absolute. */
  readonly workspace: string;
}

/** One reason for what becomes of a command line. */
export type CommandPart =
  /** A command of it, by a rule or list, or because nothing speaks against it. */
  | {
      readonly kind: 'invocation';
      readonly invocation: number;
      readonly request: ExecRequest;
      readonly verdict: Verdict;
      readonly environment: Readonly<Record<string, string>>;
    }
  /** Something in it that is not understood. `invocation` is undefined where the whole text is not. */
  | {
      readonly kind: 'opacity';
      readonly invocation: number | undefined;
      readonly opacity: Opacity;
      readonly verdict: Verdict;
    }
  /** What a command can do at most, where a policy is against that. */
  | { readonly kind: 'class'; readonly invocation: number | undefined; readonly verdict: Verdict };

/** What becomes of a whole command line. */
export interface CommandVerdict {
  /** The strictest of its parts. Where it is `ask`, parts that are redirected are so once it has been approved. */
  readonly decision: Decision;
  /** In the order of the text. */
  readonly parts: readonly CommandPart[];
  /**
   * The part that settled it: of equally strict ones the innermost, then the first. Undefined for a text without
   * commands.
   */
  readonly decisive: CommandPart | undefined;
  readonly message: string;
  readonly remedy: string;
}
