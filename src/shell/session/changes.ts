import type { CommandVerdict } from '../../policy/command/types.ts';
import type { ExecRequest } from '../../policy/request.ts';
import type { Verdict } from '../../policy/verdict.ts';
import { neutralGit } from '../tools/git/index.ts';
import type { AnalysedInvocation, Analysis, TimeSpan } from '../types.ts';

export interface JudgedCommand {
  readonly analysis: Analysis;
  readonly verdict: CommandVerdict;
  /** Commands whose program is at a path that the box cannot change. */
  readonly fixed: ReadonlySet<number>;
}

/** Returns replacements of commands by rules, and the variables that rules set. */
export function ruledChanges({
  analysis: { invocations },
  verdict: { parts },
}: JudgedCommand): ReadonlyMap<AnalysedInvocation, Rewriting> {
  const changes = new Map<AnalysedInvocation, Rewriting>();
  for (const part of parts) {
    const invocation = part.kind === 'invocation' ? invocations[part.invocation] : undefined;
    if (invocation === undefined || part.kind !== 'invocation') continue;
    const { redirectArgv } = part.verdict;
    if (part.verdict.decision === 'redirect')
      changes.set(invocation, { argv: redirectArgv, environment: part.environment });
    else if (Object.keys(part.environment).length > 0) changes.set(invocation, { environment: part.environment });
  }
  return changes;
}

/**
 * A git command in a form for which the repository's configuration names no program, with the variables that rules set.
 */
export interface NeutralChange extends Rewriting {
  readonly argv: readonly string[];
  readonly request: ExecRequest;
  readonly verdict: Verdict;
}

/**
 * `git status` runs the program that `core.fsmonitor` of `.git/config` names. Changes only commands of the system's git
 * that no rule redirects.
 */
export function neutralChanges({
  analysis: { invocations },
  verdict: { parts },
  fixed,
}: JudgedCommand): ReadonlyMap<AnalysedInvocation, NeutralChange> {
  const changes = new Map<AnalysedInvocation, NeutralChange>();
  for (const part of parts) {
    const invocation = part.kind === 'invocation' ? invocations[part.invocation] : undefined;
    if (
      invocation === undefined ||
      part.kind !== 'invocation' ||
      part.verdict.decision === 'redirect' ||
      !fixed.has(invocation.id) ||
      !runsRepository(invocation, part.request)
    )
      continue;
    const neutral = neutralGit(part.request.argv);
    if (neutral !== undefined)
      changes.set(invocation, {
        argv: neutral.argv,
        environment: { ...neutral.environment, ...part.environment },
        request: part.request,
        verdict: part.verdict,
      });
  }
  return changes;
}

function runsRepository({ argv, effects }: AnalysedInvocation, { program }: ExecRequest): boolean {
  return (
    program.endsWith('/git') &&
    effects.opaque.some(({ kind }) => kind === 'repository-code') &&
    argv.every((word) => word.kind === 'static' && word.lead === undefined)
  );
}

/** The change of one command of a shell text. */
export interface Rewriting {
  /** Arguments that run instead. */
  readonly argv?: readonly string[] | undefined;
  /** Variables that the command gets. */
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * Returns a shell text with other words for some of its commands. Undefined if a command cannot be replaced without
 * further changes: it is not in the text itself, or a redirection is between its words.
 */
export function rewriteText(text: string, changes: ReadonlyMap<AnalysedInvocation, Rewriting>): string | undefined {
  const edits: Edit[] = [];
  for (const [invocation, { argv, environment = {} }] of changes) {
    const words = wordsSpan(invocation);
    if (words === undefined) return undefined;
    const variables = Object.entries(environment)
      .map(([name, value]) => `${name}=${shellQuoted(value)} `)
      .join('');
    edits.push(
      argv === undefined
        ? { start: words.start, end: words.start, text: variables }
        : { ...words, text: variables + argv.map(shellQuoted).join(' ') },
    );
  }
  edits.sort((a, b) => b.start - a.start);
  if (edits.some(({ end }, index) => index > 0 && end > (edits[index - 1]?.start ?? 0))) return undefined;
  return edits.reduce((done, { start, end, text: put }) => done.slice(0, start) + put + done.slice(end), text);
}

/** Whether it is a command of the text itself, with nothing else between its words. */
export function isReplaceable(invocation: AnalysedInvocation): boolean {
  return wordsSpan(invocation) !== undefined;
}

interface Edit extends TimeSpan {
  readonly text: string;
}

function wordsSpan({ argv, parent, relation, redirects }: AnalysedInvocation): TimeSpan | undefined {
  const [first, last] = [argv[0], argv.at(-1)];
  if (first === undefined || last === undefined || parent !== undefined || relation !== 'script') return undefined;
  const span = { start: first.span.start, end: last.span.end };
  return redirects.some((redirect) => redirect.span.start < span.end && redirect.span.end > span.start)
    ? undefined
    : span;
}

/** Quotes one word for sh, with any characters. */
export function shellQuoted(word: string): string {
  return /^[\w./:=@%+,-]+$/u.test(word) && !/^\w+=/u.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
