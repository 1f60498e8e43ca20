import { isShown } from '../../unicode/classes.ts';
import { noPoint, pointAt, pointBefore, unitsOf } from '../../unicode/points.ts';
import { isRightToLeft } from '../../unicode/sets.ts';

/** Most levels of nesting. People never write more by hand, and text with more keeps no controls. */
const deepest = 8;
const mostInParagraph = 4096;

/**
 * Returns a test for direction controls that a right-to-left text needs. These are single marks, and closed pairs
 * around text, in a paragraph with right-to-left letters. Overrides (U+202D, U+202E) are never needed, and they can
 * make any text look like another one. Call the test in ascending order of `at`, because each paragraph is read once.
 */
export function bidiKeeper(text: string): (at: number) => boolean {
  let paragraph = { end: 0, kept: new Set<number>() };
  return (at) => {
    if (at >= paragraph.end) paragraph = readParagraph(text, at);
    return paragraph.kept.has(at);
  };
}

const none: ReadonlySet<number> = new Set();

/** Reads the paragraph that contains `at`, its first control. */
function readParagraph(text: string, at: number): { end: number; kept: Set<number> } {
  const start = startOfParagraph(text, at);
  const controls: Control[] = [];
  let hasRightToLeft = false;
  let shown = 0;
  let end = start;
  while (end < text.length) {
    const point = pointAt(text, end);
    if (isParagraphEnd(point)) break;
    const role = roles.get(point);
    if (role !== undefined && controls.length <= mostInParagraph) controls.push({ at: end, role, shown });
    if (point > 0x20 && isShown(point)) shown++;
    hasRightToLeft ||= point > 0x58f && isRightToLeft(point) && isShown(point);
    end += unitsOf(point);
  }
  const kept = hasRightToLeft && controls.length <= mostInParagraph ? keptControls(text, controls) : none;
  return { end: Math.max(end, at + 1), kept: new Set(kept) };
}

type Role = 'mark' | 'embedding' | 'isolate' | 'override' | 'pop-embedding' | 'pop-isolate';
interface Control {
  readonly at: number;
  readonly role: Role;
  /** Number of visible characters before it in the paragraph. */
  readonly shown: number;
}

const roles: ReadonlyMap<number, Role> = new Map<number, Role>([
  [0x061c, 'mark'],
  [0x200e, 'mark'],
  [0x200f, 'mark'],
  [0x202a, 'embedding'],
  [0x202b, 'embedding'],
  [0x202d, 'override'],
  [0x202e, 'override'],
  [0x202c, 'pop-embedding'],
  [0x2066, 'isolate'],
  [0x2067, 'isolate'],
  [0x2068, 'isolate'],
  [0x2069, 'pop-isolate'],
]);
const closes: Readonly<Partial<Record<Role, readonly Role[]>>> = {
  'pop-embedding': ['embedding', 'override'],
  'pop-isolate': ['isolate'],
};

function keptControls(text: string, controls: readonly Control[]): ReadonlySet<number> {
  const kept = new Set<number>();
  const open: Control[] = [];
  for (const control of controls) {
    const opened = closes[control.role];
    if (control.role === 'mark') {
      if (isAlone(text, control.at)) kept.add(control.at);
    } else if (opened === undefined) {
      open.push(control);
    } else {
      const opener = takeOpener(open, opened);
      if (opener !== undefined && opener.role !== 'override' && opener.shown < control.shown && open.length < deepest)
        kept.add(opener.at).add(control.at);
    }
  }
  return kept;
}

/** Returns the innermost opener that this character closes. Closing an isolate also closes the embeddings inside it. */
function takeOpener(open: Control[], opened: readonly Role[]): Control | undefined {
  const index = open.findLastIndex(({ role }) => opened.includes(role));
  if (index === -1 || (!opened.includes('isolate') && open.slice(index + 1).some(({ role }) => role === 'isolate')))
    return undefined;
  return open.splice(index)[0];
}

/** Two invisible characters in a row are never part of a text. */
function isAlone(text: string, at: number): boolean {
  const before = pointBefore(text, at);
  const after = pointAt(text, at + 1);
  return (before === noPoint || isShown(before)) && (after === noPoint || isShown(after) || isParagraphEnd(after));
}

function startOfParagraph(text: string, at: number): number {
  let start = at;
  while (start > 0 && !isParagraphEnd(text.charCodeAt(start - 1))) start--;
  return start;
}

/**
 * U+2028 counts too, because `strip` turns it into a line break. Otherwise keeping a character would depend on a
 * removed one.
 */
function isParagraphEnd(point: number): boolean {
  return point === 0x0a || point === 0x0d || point === 0x85 || point === 0x2028 || point === 0x2029;
}
