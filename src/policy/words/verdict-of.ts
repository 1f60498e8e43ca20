import { type Answer, builtinFile, type MatchedCommand } from '../origin.ts';
import { canonicalise } from '../patterns/command-words.ts';
import type { ExecRequest, PolicyRequest } from '../request.ts';
import type { Verdict } from '../verdict.ts';
import { messageEnd, matchedWords, verdictMessage } from './message.ts';
import { printable } from './describe-request.ts';
import { type Way, waysToAllow } from './ways.ts';

/** Returns an answer as a verdict on this request. */
export function verdictOf(answer: Answer, request: PolicyRequest): Verdict {
  if (answer.decision === 'allow') return allowedVerdict(answer);
  const { decision, code, rule, layer, file, line, redirectTo } = answer;
  const verdict = {
    decision,
    code,
    rule,
    layer,
    file,
    line,
    message: verdictMessage(answer, request),
    remedy: remedyText(answer, request),
  };
  if (redirectTo === undefined) return verdict;
  const argv =
    request.kind === 'exec' && answer.command !== undefined ? redirectArgv(answer.command, request) : undefined;
  if (argv === undefined) return { ...verdict, redirectTo };
  const target = argv.join(' ');
  return {
    ...verdict,
    message: verdictMessage({ ...answer, redirectTo: target, memo: {} }, request),
    redirectTo: target,
    redirectArgv: argv,
  };
}

/** Most verdicts allow, so one object per rule serves all requests. */
function allowedVerdict(answer: Answer): Verdict {
  if (answer.memo.allowed !== undefined) return answer.memo.allowed;
  const { decision, code, rule, layer, file, line } = answer;
  const verdict: Verdict = Object.freeze({
    decision,
    code,
    rule,
    layer,
    file,
    line,
    message: messageEnd(answer),
    remedy: 'nothing is needed: it is allowed',
  });
  answer.memo.allowed = verdict;
  return verdict;
}

/**
 * Returns the arguments that run instead of a command. `{args}`: every argument after the program. `{rest}`: the
 * arguments that the rule's pattern does not name. `{operands}`: the arguments that are neither options nor their
 * values. `{1}`: the first operand. Undefined if a needed argument is unknown or missing.
 */
export function redirectArgv(command: MatchedCommand, request: ExecRequest): readonly string[] | undefined {
  const words = command.instead?.map((word) => wordsFor(word, command, request));
  return words === undefined || words.includes(undefined) ? undefined : words.flatMap((word) => word ?? []);
}

function wordsFor(word: string, command: MatchedCommand, request: ExecRequest): readonly string[] | undefined {
  const [, name] = substitution.exec(word) ?? [];
  if (name === undefined) return [word];
  // The placeholder of an unknown argument would be taken literally.
  if ((request.unknown?.length ?? 0) > 0) return undefined;
  if (name === 'args') return request.argv.slice(1);
  if (name === 'rest') return matchedWords(command, request, 'substitute').rest;
  const { program, argv } = request;
  const { operands } = canonicalise(program.slice(program.lastIndexOf('/') + 1), argv);
  if (name === 'operands') return operands;
  const operand = operands[Number(name) - 1];
  return operand === undefined ? undefined : [operand];
}

/** Matches a whole word: within a word, braces are literal. */
export const substitution = /^\{(args|rest|operands|[1-9]\d{0,2})\}$/;

/** Returns the exact policy line and flag that would allow a request, or the reason why nothing would. One line. */
export function remedyText(answer: Answer, request: PolicyRequest): string {
  answer.memo.remedy ??= { text: fixedRemedy(answer, request) };
  return answer.memo.remedy.text ?? `${approval(answer)}${waysText(answer, request)}`;
}

/** The remedy, if it is the same for every request: only additions name the subject. */
function fixedRemedy(answer: Answer, request: PolicyRequest): string | undefined {
  if (answer.decision === 'allow' || answer.decision === 'audit') return 'nothing is needed: it is allowed';
  if (
    answer.code === 'not-granted' ||
    answer.code === 'outside-ceiling' ||
    answer.code === 'protected-path' ||
    answer.code === 'hidden-file'
  )
    return undefined;
  return `${approval(answer)}${waysText(answer, request)}`;
}

function approval({ decision }: Answer): string {
  return decision === 'ask' ? 'approve it when asked, or ' : '';
}

function waysText(answer: Answer, request: PolicyRequest): string {
  const ways = waysToAllow(answer, request);
  const never = ways.filter(({ kind }) => kind === 'nothing');
  return (never.length === 0 ? ways : never).map(wayText).join(', and ');
}

/** Returns one way in words. */
export function wayText(way: Way): string {
  switch (way.kind) {
    case 'add': {
      const flag = way.flag === undefined ? '' : `, or run with ${way.flag[0]} ${shellWord(way.flag[1])}`;
      return `add ${printable(way.line)} to ${printable(way.file)}${flag}`;
    }
    case 'change':
      return `change ${printable(way.rule)} in ${printable(way.file)}${way.at === 0 || way.file === builtinFile ? '' : ` line ${way.at}`}`;
    case 'nothing':
      return `nothing would allow it: ${printable(way.reason)}`;
  }
}

/** Quotes a word for a POSIX shell if necessary. */
function shellWord(word: string): string {
  return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${printable(word).replaceAll("'", `'\\''`)}'`;
}
