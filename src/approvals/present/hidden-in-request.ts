import type { PolicyRequest, Verdict } from '../../policy/index.ts';
// Not through the index: a supervisor needs nothing else of the text room.
import { boundaries } from '../../text/boundaries.ts';
import { describeFindings } from '../../text/describe-findings.ts';
import { findHidden } from '../../text/filter/reject.ts';
import type { TextFinding, TextForm } from '../../text/types.ts';

interface Asked {
  readonly request: PolicyRequest;
  readonly verdict: Pick<Verdict, 'message'>;
  /** Further lines of what will happen, unfiltered. */
  readonly details?: readonly string[];
}

/**
 * What somebody who is asked could not see: a command of tag characters, or letters that run the other way. Undefined where all
 * of it shows. Whoever answers would approve another text than the one that is used, so nobody is asked.
 */
export function hiddenInRequest({ request, verdict, details = [] }: Asked): string | undefined {
  const words = request.kind === 'exec' ? request.argv : [];
  const names = wordsOf({ ...request, argv: [] });
  const found = firstHidden([verdict.message, ...details, ...words], boundaries['approval-prompt'].form) ?? firstHidden(names, boundaries['approval-prompt'].form) ?? firstHidden(names, 'name');
  if (found !== undefined) return describeFindings([found]);
  // Attack: two names of bytes that are no text are the same text, so that an answer to one would be one to the other.
  return [...details, ...words, ...names].some((text) => text.includes(replacement)) ? 'U+FFFD, which stands for any bytes that are no text' : undefined;
}

const replacement = '\ufffd';

/** Added to the message of what was denied without a question. */
export function unaskable(hidden: string): string {
  return `nobody was asked, because it holds characters that do not show: ${hidden}`;
}

/** A line break in a path would start a line that looks like another request; a script has lines of its own. */
function firstHidden(texts: readonly string[], form: TextForm): TextFinding | undefined {
  for (const text of texts) {
    const found = findHidden(text, form);
    if (found !== undefined) return found;
  }
  return undefined;
}

function wordsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap((inner) => wordsOf(inner)) : [];
}
