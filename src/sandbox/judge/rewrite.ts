import type { AnalysedInvocation, Span } from '../../shell/types.ts';

/** What becomes of the commands of a shell text, by their place in its analysis. */
export interface Rewriting {
  /** Words that run instead. */
  readonly argv?: readonly string[] | undefined;
  /** Variables that the command gets. */
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * A shell text with other words for some of its commands. Undefined where one of them cannot be replaced without changing more than
 * its words: it is no command of the text itself, or a redirection stands between its words.
 */
export function rewriteText(text: string, changes: ReadonlyMap<AnalysedInvocation, Rewriting>): string | undefined {
  const edits: Edit[] = [];
  for (const [invocation, { argv, environment = {} }] of changes) {
    const words = wordsSpan(invocation);
    if (words === undefined) return undefined;
    const variables = Object.entries(environment).map(([name, value]) => `${name}=${quoted(value)} `).join('');
    edits.push(argv === undefined ? { start: words.start, end: words.start, text: variables } : { ...words, text: variables + argv.map(quoted).join(' ') });
  }
  edits.sort((a, b) => b.start - a.start);
  if (edits.some(({ end }, index) => index > 0 && end > (edits[index - 1]?.start ?? 0))) return undefined;
  return edits.reduce((done, { start, end, text: put }) => done.slice(0, start) + put + done.slice(end), text);
}

/** Whether it is a command of the text itself, with nothing else between its words. */
export function isReplaceable(invocation: AnalysedInvocation): boolean {
  return wordsSpan(invocation) !== undefined;
}

interface Edit extends Span {
  readonly text: string;
}

function wordsSpan({ argv, parent, relation, redirects }: AnalysedInvocation): Span | undefined {
  const [first, last] = [argv[0], argv.at(-1)];
  if (first === undefined || last === undefined || parent !== undefined || relation !== 'script') return undefined;
  const span = { start: first.span.start, end: last.span.end };
  return redirects.some((redirect) => redirect.span.start < span.end && redirect.span.end > span.start) ? undefined : span;
}

/** One word of sh, whatever is in it. */
export function quoted(word: string): string {
  return /^[\w./:=@%+,-]+$/u.test(word) && !/^\w+=/u.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
