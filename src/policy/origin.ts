import type { CommandPattern } from './patterns/command-pattern.ts';
import type { Decision, LayerKind, Verdict, VerdictCode } from './verdict.ts';

/** The origin of a statement in a policy. */
export interface Origin {
  /** Unique name of the rule, e.g. `ask-migrations` or `files.write[0]`. */
  readonly rule: string;
  readonly layer: LayerKind;
  /** The policy file, or `built-in`. */
  readonly file: string;
  /** Line from 1; 0 for built-in rules. */
  readonly line: number;
}

/** Returns `~/.config/holdfast/policy.toml:3`, or only the file for a built-in rule. */
export function originPlace({ file, line }: Pick<Origin, 'file' | 'line'>): string {
  return line > 0 ? `${file}:${line}` : file;
}

export const builtinFile = 'built-in';

/** Default path of the user's policy. */
export const defaultUserFile = '~/.config/holdfast/policy.toml';

/** The answer of one layer to one request, not yet in words. Made once for each rule. */
export interface Answer extends Origin {
  readonly decision: Decision;
  readonly code: VerdictCode;
  /** The author's reason for the rule. */
  readonly reason: string | undefined;
  /** Target of a `redirect`. */
  readonly redirectTo: string | undefined;
  /** The command that a pattern matched, if the answer is about one. */
  readonly command?: MatchedCommand | undefined;
  /** The file in which a person would change the rule: the user's own policy for built-in rules. */
  readonly editFile: string;
  /**
   * `beneath`: the rule concerns a path below the requested directory. `outside`: the path is not in the workspace.
   * Default: neither is known.
   */
  readonly held?: 'beneath' | 'outside';
  /** The denial that would remain without this answer: a hidden file may also lack a grant. */
  readonly also?: Answer;
  /** Values that are the same for every request, computed on first use. */
  readonly memo: AnswerMemo;
}

export interface MatchedCommand {
  readonly pattern: CommandPattern;
  /**
   * Arguments of the replacing command. `{args}`, `{rest}`, `{operands}` and `{1}` stand for arguments of this command.
   */
  readonly instead?: readonly string[] | undefined;
  /** Variables that the command gets. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** The unknown argument, if the pattern matches only with the right value in its place. */
  readonly through?: string | undefined;
  /** The layer's decision on the known arguments. */
  readonly certain?: Answer | undefined;
}

interface AnswerMemo {
  /** The whole verdict of an allowing answer. */
  allowed?: Verdict;
  /** The end of its message. */
  outcome?: string;
  /** Its remedy, if it is the same for every request. `text` is undefined if it depends on the request. */
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
