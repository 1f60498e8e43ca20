import type { StagedChange, EntryFacts } from '../types.ts';
import type { ContentDiff } from './content-diff.ts';
import { visibleName, visibleText } from './visible-text.ts';

/** A line of a review. Its kind decides its colour. */
export interface DiffLine {
  readonly kind: 'heading' | 'note' | 'warning' | 'place' | 'removed' | 'added' | 'context';
  /** Without control characters. */
  readonly text: string;
}

/** Describes one change in lines, in the way of `git diff`. */
export function describeChange(change: StagedChange, diff: ContentDiff): readonly DiffLine[] {
  return [
    { kind: 'heading', text: heading(change) },
    ...warnings(change),
    ...notes(change).map((text): DiffLine => ({ kind: 'note', text })),
    ...contentLines(change, diff),
  ];
}

function heading({ kind, from, path, before, after }: StagedChange): string {
  const type = (after ?? before)?.type ?? 'file';
  const what = type === 'file' ? '' : ` ${type}`;
  return from === undefined
    ? `${kind}${what} ${visibleName(path)}`
    : `${kind}${what} ${visibleName(from)} -> ${visibleName(path)}`;
}

const conflictTexts = {
  'changed-on-host': 'conflict: it was changed on the host since the command took it over',
  'appeared-on-host': 'conflict: the host has a new entry of this name since',
  'gone-from-host': 'conflict: the host has removed it since',
} as const;

function warnings({ conflict, refusal }: StagedChange): readonly DiffLine[] {
  const texts = [
    ...(conflict === undefined ? [] : [conflictTexts[conflict.reason]]),
    ...(refusal === undefined
      ? []
      : [`refused: ${visibleText(Buffer.from(refusal.reason))} (${visibleText(Buffer.from(refusal.rule))})`]),
  ];
  return texts.map((text) => ({ kind: 'warning', text }));
}

function notes({ kind, before, after }: StagedChange): readonly string[] {
  if (before === undefined || after === undefined)
    return lone(after === undefined ? 'deleted' : 'new', after ?? before);
  return [
    ...(before.type === after.type ? [] : [`was a ${before.type}, is a ${after.type}`]),
    ...(before.mode === after.mode || after.type === 'symlink'
      ? []
      : [`old mode ${octal(before.mode)}`, `new mode ${octal(after.mode)}`]),
    ...(before.uid === after.uid && before.gid === after.gid
      ? []
      : [`owner ${before.uid}:${before.gid} -> ${after.uid}:${after.gid}`]),
    ...targets(before, after),
    ...(after.links > 1 && after.type === 'file' ? [`${after.links} names`] : []),
    ...(kind === 'metadata' && before.modified !== after.modified
      ? [`modified ${timeText(before.modified)} -> ${timeText(after.modified)}`]
      : []),
    ...(kind === 'metadata' && onlyAttributes(before, after) ? ['other extended attributes'] : []),
  ];
}

function lone(what: 'deleted' | 'new', facts: EntryFacts | undefined): readonly string[] {
  if (facts === undefined) return [];
  const target = facts.target === undefined ? [] : [`leads to ${visibleName(facts.target)}`];
  return [
    `${what} ${facts.type} mode ${octal(facts.mode)}`,
    ...target,
    ...(facts.links > 1 && facts.type === 'file' ? [`${facts.links} names`] : []),
  ];
}

function targets(before: EntryFacts, after: EntryFacts): readonly string[] {
  const [old, fresh] = [before.target, after.target].map((target) =>
    target === undefined ? undefined : visibleName(target),
  );
  return old === fresh
    ? []
    : [...(old === undefined ? [] : [`led to ${old}`]), ...(fresh === undefined ? [] : [`leads to ${fresh}`])];
}

function onlyAttributes(before: EntryFacts, after: EntryFacts): boolean {
  return (
    before.mode === after.mode &&
    before.uid === after.uid &&
    before.gid === after.gid &&
    before.modified === after.modified &&
    before.links === after.links
  );
}

/** Setuid and setgid bits come first, where people see them. */
function octal(mode: number): string {
  return mode.toString(8).padStart(4, '0');
}

const perSecond = 1_000_000_000n;

function timeText(nanoseconds: bigint): string {
  const milliseconds = Number(nanoseconds / 1_000_000n);
  const date = new Date(milliseconds);
  if (Number.isNaN(date.getTime())) return `${nanoseconds / perSecond} s`;
  return `${date.toISOString().slice(0, 19)}.${String(((nanoseconds % perSecond) + perSecond) % perSecond).padStart(9, '0')}Z`;
}

function contentLines({ path, before, after }: StagedChange, diff: ContentDiff): readonly DiffLine[] {
  switch (diff.kind) {
    case 'none':
      return [];
    case 'binary':
      return [{ kind: 'note', text: `binary file, ${sizes(before, after)}` }];
    case 'large':
      return [{ kind: 'note', text: `too large to show, ${sizes(before, after)}` }];
    case 'too-different':
      return [{ kind: 'note', text: `too different to show, ${sizes(before, after)}` }];
    case 'unreadable':
      return [{ kind: 'note', text: 'its content cannot be read' }];
    case 'text': {
      const name = visibleName(path);
      const names: readonly DiffLine[] = [
        { kind: 'note', text: before?.type === 'file' ? `--- a/${name}` : '--- /dev/null' },
        { kind: 'note', text: after?.type === 'file' ? `+++ b/${name}` : '+++ /dev/null' },
      ];
      return diff.hunks.length === 0
        ? []
        : [
            ...names,
            ...diff.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
              { kind: 'place', text: `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@` } as const,
              ...lines.map(textLine),
            ]),
          ];
    }
  }
}

function sizes(before: EntryFacts | undefined, after: EntryFacts | undefined): string {
  if (before?.type === 'file' && after?.type === 'file') return `${before.size} -> ${after.size} bytes`;
  return `${after?.type === 'file' ? after.size : (before?.size ?? 0)} bytes`;
}

/** An empty range is placed after the line before it. */
function range(start: number, count: number): string {
  if (count === 0) return `${start - 1},0`;
  return count === 1 ? String(start) : `${start},${count}`;
}

const lineKinds: ReadonlyMap<string, DiffLine['kind']> = new Map([
  ['-', 'removed'],
  ['+', 'added'],
]);

function textLine(line: string): DiffLine {
  return { kind: lineKinds.get(line[0] ?? '') ?? 'context', text: visibleText(Buffer.from(line, 'latin1')) };
}
