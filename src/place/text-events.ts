import { appendEvents, type JournalEvent } from '../audit/index.ts';
import { escapeHidden, instructionLikeness, type BoundaryName, type TextFinding } from '../text/index.ts';
import type { Place } from './place.ts';

/** The part of a session that an event needs. */
export interface TextSession {
  readonly id: string;
  readonly place: Place;
}

/** A text that has passed a boundary. */
export interface PassedText {
  readonly boundary: BoundaryName;
  readonly where: string;
  readonly findings: readonly TextFinding[];
  /** Names and descriptions that are scored for addressing a model. Default: no names. */
  readonly names?: readonly string[];
}

type TextEvent = Extract<JournalEvent, { readonly type: 'text' }>;

/**
 * Journals that a text had hidden characters. Reports and never decides. A text without hidden characters causes no
 * event.
 */
export function noteText({ id, place }: TextSession, text: PassedText): void {
  const event = textEvent({ session: id, workspace: place.workspace.root }, text);
  if (event !== undefined) appendEvents(place.paths.journal, [event]);
}

export function textEvent(
  session: Pick<TextEvent, 'session' | 'workspace'>,
  { boundary, where, findings, names = [] }: PassedText,
): TextEvent | undefined {
  const hidden = findings.filter(({ kind }) => kind !== 'mixed-script' && kind !== 'confusable');
  const likeness = mostLike(names);
  if (hidden.length === 0 && likeness === undefined) return undefined;
  const decoded = decodedOf(hidden);
  return {
    type: 'text',
    ...session,
    boundary,
    where: shortened(where, longestPlace),
    findings: counts(hidden),
    ...(decoded.length === 0 ? {} : { decoded }),
    ...(likeness === undefined ? {} : { likeness }),
  };
}

/** Ordinary file names have scores below this. */
const speaking = 0.5;

function mostLike(names: readonly string[]): TextEvent['likeness'] {
  let most: TextEvent['likeness'];
  for (const name of names) {
    const { score, signals } = instructionLikeness(name);
    if (score >= speaking && score > (most?.score ?? 0))
      most = { name: shortened(name, longestPlace), score, signals: signals.map((signal) => signal.name) };
  }
  return most;
}

const longestPlace = 300;
const longestPayload = 200;
const mostPayloads = 5;

/** Longest first, because short ones also occur in noise. */
function decodedOf(findings: readonly TextFinding[]): readonly string[] {
  const payloads = new Set(findings.flatMap(({ decoded }) => (decoded === undefined ? [] : [decoded])));
  return [...payloads]
    .toSorted((a, b) => b.length - a.length)
    .slice(0, mostPayloads)
    .map((payload) => shortened(payload, longestPayload));
}

function counts(findings: readonly TextFinding[]): TextEvent['findings'] {
  return Object.fromEntries(
    [...Map.groupBy(findings, ({ kind }) => kind)].map(([kind, found]) => [kind, found.length]),
  );
}

function shortened(text: string, longest: number): string {
  const shown = escapeHidden(text.slice(0, longest + 1));
  return shown.length > longest ? `${shown.slice(0, longest)}…` : shown;
}
