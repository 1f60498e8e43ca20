import type { CommandPattern } from './patterns/command-pattern.ts';
import type { Decision, LayerKind, Verdict, VerdictCode } from './verdict.ts';

/** Where something in a policy comes from. */
export interface Origin {
  /** Unique name of the rule, e.g. `ask-migrations` or `files.write[0]`. */
  readonly rule: string;
  readonly layer: LayerKind;
  /** The policy file, or `built-in`. */
  readonly file: string;
  /** 1-based; 0 for what is built in. */
  readonly line: number;
}

export const builtinFile = 'built-in';

/** Where the user's policy lies unless the caller knows better. */
export const defaultUserFile = '~/.config/holdfast/policy.toml';

/** What one layer says about one request, before the request is put into words. Made once for each rule. */
export interface Answer extends Origin {
  readonly decision: Decision;
  readonly code: VerdictCode;
  /** Why the rule is there, in the words of anyone who wrote it. */
  readonly reason: string | undefined;
  /** Where a `redirect` goes. */
  readonly redirectTo: string | undefined;
  /** Of an answer about a command that a pattern matched. */
  readonly command?: MatchedCommand | undefined;
  /** The file in which a person would change it: the user's own policy for what is built in. */
  readonly editFile: string;
  /**
   * `beneath`: the rule is about something in the directory that was asked for. `outside`: the place is not in the
   * workspace. Default: neither is known.
   */
  readonly held?: 'beneath' | 'outside';
  /**
   * What the layer would still refuse with if this answer were out of the way: a hidden file may not be granted either.
   */
  readonly also?: Answer;
  /** What is the same for every request, made when it is first needed. */
  readonly memo: AnswerMemo;
}

export interface MatchedCommand {
  readonly pattern: CommandPattern;
  /** Words of another command, in which `{args}`, `{rest}`, `{operands}` and `{1}` stand for words of this one. */
  readonly instead?: readonly string[] | undefined;
  /** Variables that the command gets. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** What nobody knows, where the pattern matches only if it is the right words. */
  readonly through?: string | undefined;
  /** And what the layer decides about the words that are known. */
  readonly certain?: Answer | undefined;
}

interface AnswerMemo {
  /** The whole verdict of an answer that allows. */
  allowed?: Verdict;
  /** The end of its message. */
  outcome?: string;
  /** Its remedy, where that does not depend on the request; `undefined` inside where it does. */
  remedy?: { readonly text: string | undefined };
}

export interface AnswerParts {
  readonly decision: Decision;
  readonly code: VerdictCode;
  readonly reason?: string | undefined;
  readonly redirectTo?: string | undefined;
  readonly editFile: string;
}

export function answerOf(origin: Origin, parts: AnswerParts): Answer {
  const { rule, layer, file, line } = origin;
  const { decision, code, reason, redirectTo, editFile } = parts;
  return { rule, layer, file, line, decision, code, reason, redirectTo, editFile, memo: {} };
}
