import type { TxtNode } from '@textlint/ast-node-types';
import { parse } from '@textlint/markdown-to-ast';
import { split } from 'sentence-splitter';
import { StringSource } from 'textlint-util-to-string';

/** One place in a page that would stop a reader. */
export interface ProseFinding {
  readonly kind: 'phrase' | 'clause' | 'opening' | 'endless' | 'long';
  readonly line: number;
  readonly text: string;
}

/** The number of words from which a sentence is `long`, and `endless`. */
export const sentenceLengths = { long: 26, endless: 40 } as const;

/** Words of translated prose, and the field's words. */
export const phrases: readonly { readonly pattern: RegExp; readonly instead: string }[] = [
  { pattern: /\bwhoever\b/iu, instead: 'anyone who, or the role' },
  { pattern: /\bsomebody\b/iu, instead: 'someone, or the role' },
  { pattern: /\blies (?:in|at|beside|below|under|where|there|on)\b/iu, instead: 'is' },
  { pattern: /\banew\b/iu, instead: 'again' },
  { pattern: /\bkeys that it cannot give away\b/iu, instead: 'phantom keys' },
  { pattern: /\bwhat (?:was|is) refused of\b/iu, instead: 'refused …' },
  { pattern: /\bshows what is another\b/iu, instead: 'shows the difference' },
  { pattern: /\bstands for secrets\b/iu, instead: 'phantom' },
  { pattern: /\bwhat (?:does|do) not show\b/iu, instead: 'hidden characters' },
  { pattern: /\bwhat (?:becomes|became) of\b/iu, instead: 'the result of, or the decision about' },
  { pattern: /\b(?:not good any|good no) more\b/iu, instead: 'no longer valid' },
  { pattern: /\ball the same\b/iu, instead: 'anyway, or still' },
  { pattern: /\bcome to naught\b|\bwherein\b|\bthereof\b|\bthereby\b|\bhitherto\b/iu, instead: 'a modern word' },
];

/**
 * Clauses where the field has a noun: `its content` for `what is in it`. `What is …?` is a question, and `find out what
 * changed it` has no noun.
 */
const clause =
  /\b(?:what(?:ever)? (?:is|are|was|were|it|they|the|an?|that|this|nobody|no|has|had|its)|What (?:was|were|it|they|the|has|had)|(?:whatever|that which)\b|nothing of (?:it|that|the|them|this)|(?:is|are) none(?! of))\b/u;

/** `What stands for it.` and `Who asks.`: a clause in place of a sentence. Ignores questions. */
const opening = /^\s*(?:What|Who|Whom|How)\b[^.?!]*(?<end>[.?!]|$)/u;

/** Finds the clause that a comment or a title begins with. */
export function openingClause(text: string): readonly ProseFinding[] {
  const match = opening.exec(text);
  if (match === null || match.groups?.['end'] === '?') return [];
  return [{ kind: 'opening', line: 1, text: match[0].trim().replaceAll(/\s+/gu, ' ') }];
}

/** Findings of one Markdown text, in its order. Code spans count as one word; code blocks and tables are not read. */
export function lintProse(text: string): readonly ProseFinding[] {
  // Markdown parsing takes longer than all other steps, and most texts have no findings.
  const isSuspect =
    text.split(/\s+/u).length >= sentenceLengths.long || wordsIn(text.replaceAll(/\s+/gu, ' ')).length > 0;
  if (!isSuspect) return [];
  return paragraphsOf(parse(text)).flatMap((paragraph) => {
    const line = paragraph.loc.start.line;
    const prose = new StringSource(paragraph as ConstructorParameters<typeof StringSource>[0], {
      replacer: ({ node, maskValue }) => (node.type === 'Code' ? maskValue('x') : undefined),
    }).toString();
    return [...wordsIn(prose.replaceAll(/\s+/gu, ' ')), ...longSentences(prose)].map((finding) => ({
      ...finding,
      line,
    }));
  });
}

function paragraphsOf(node: TxtNode): readonly TxtNode[] {
  if (node.type === 'Paragraph') return [node];
  const children = 'children' in node ? (node.children as readonly TxtNode[]) : [];
  return children.flatMap(paragraphsOf);
}

type Found = Omit<ProseFinding, 'line'>;

function wordsIn(prose: string): readonly Found[] {
  const [found] = clause.exec(prose) ?? [];
  const inPhrases = phrases.flatMap(({ pattern }) => {
    const [text] = pattern.exec(prose) ?? [];
    return text === undefined ? [] : [{ kind: 'phrase' as const, text }];
  });
  return found === undefined ? inPhrases : [...inPhrases, { kind: 'clause', text: found }];
}

function longSentences(prose: string): readonly Found[] {
  return split(prose)
    .filter(({ type }) => type === 'Sentence')
    .flatMap(({ raw }) => {
      const words = raw.split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
      if (words < sentenceLengths.long) return [];
      return [{ kind: words < sentenceLengths.endless ? 'long' : 'endless', text: raw.replaceAll('\n', ' ') }];
    });
}
