import type { Subject } from '../types.ts';
import { visible } from './exact-text.ts';
import { factsOf } from './facts.ts';
import { hiddenInRequest, unaskable } from './hidden-in-request.ts';
import { columns, factLines, textLines } from './layout.ts';
import { titleOf } from './title.ts';

/** How a request is shown, or why it cannot be. */
export type Presentation =
  | { readonly kind: 'shown'; readonly title: string; readonly lines: readonly string[] }
  /** Nobody is asked. One line that completes a verdict's message. */
  | { readonly kind: 'hidden'; readonly message: string };

/** Lines that a person may be shown for one answer. Cutting what is longer would have them approve what they have not seen. */
export const mostLines = 1000;
/** Characters of it as JSON, before anything is done with them. */
const mostCharacters = mostLines * columns;

/**
 * Exactly what will happen, whole: title, and lines of at most 76 columns in which only labels of ours begin at the left. What
 * holds a character that does not show, or needs more than 1,000 lines, is not shown at all.
 */
export function presentSubject(subject: Subject): Presentation {
  const { request, details = [] } = subject;
  if (JSON.stringify([request, details]).length > mostCharacters) return tooLong;
  const hidden = hiddenInRequest(subject);
  if (hidden !== undefined) return { kind: 'hidden', message: unaskable(hidden) };
  const lines = [...factsOf(request), ...details.flatMap(detailLines)];
  return lines.length > mostLines ? tooLong : { kind: 'shown', title: titleOf(request), lines };
}

function detailLines(detail: string): readonly string[] {
  return detail.includes('\n') ? textLines('detail', detail) : factLines('detail', visible(detail), detail);
}

const tooLong: Presentation = { kind: 'hidden', message: `nobody was asked, because it is too long to be shown whole (${mostLines} lines); put long texts into a file` };
