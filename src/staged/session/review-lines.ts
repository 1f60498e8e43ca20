import { contentDiff } from '../diff/content-diff.ts';
import { describeChange, type DiffLine } from '../diff/describe-change.ts';
import { gitSummary, rebaseCommands } from '../diff/git-summary.ts';
import { visibleName } from '../diff/visible-text.ts';
import type { StagedChange } from '../types.ts';
import type { Review, ReviewCounts } from './review-layer.ts';

/** The shown part of each change. */
export type Detail = 'patch' | 'stat' | 'names';

/** Yields a review for a person: a summary, then each change. Diffs are made on demand. */
export function* reviewLines(review: Review, detail: Detail): Generator<DiffLine> {
  if (detail === 'names') return yield* nameLines(review);
  yield { kind: 'heading', text: summaryOf(review) };
  for (const [root, changes] of Map.groupBy(review.changes, (change) => change.root)) {
    if (root.root !== review.layer.workspace)
      yield { kind: 'heading', text: `in ${visibleName(Buffer.from(root.root))}:` };
    yield* detail === 'patch' ? patchLines(changes) : changes.map(statLine);
  }
}

function* patchLines(changes: readonly StagedChange[]): Generator<DiffLine> {
  const { lines, rest } = gitSummary(changes);
  for (const change of rest) {
    yield empty;
    yield* describeChange(change, contentDiff(change));
  }
  if (lines.length > 0) yield empty;
  yield* lines;
}

const empty: DiffLine = { kind: 'context', text: '' };

function* nameLines({ layer, changes }: Review): Generator<DiffLine> {
  for (const { root, path } of changes)
    yield {
      kind: 'context',
      text: visibleName(root.root === layer.workspace ? path : Buffer.concat([Buffer.from(`${root.root}/`), path])),
    };
}

function summaryOf({ layer, changes, counts }: Review): string {
  const parts = countWords.flatMap(([key, words]) => (counts[key] === 0 ? [] : [`${counts[key]} ${words}`]));
  return `${layer.id}: ${changes.length} ${changes.length === 1 ? 'change' : 'changes'} in ${visibleName(Buffer.from(layer.workspace))}${parts.length === 0 ? '' : `: ${parts.join(', ')}`}`;
}

const countWords: readonly (readonly [keyof ReviewCounts, string])[] = [
  ['added', 'added'],
  ['modified', 'modified'],
  ['deleted', 'deleted'],
  ['renamed', 'renamed'],
  ['type-changed', 'of another type'],
  ['metadata', 'of mode, owner, times or names'],
  ['conflicts', 'in conflict with the host'],
  ['refused', 'refused'],
];

const letters: Readonly<Record<StagedChange['kind'], string>> = {
  added: 'A',
  modified: 'M',
  deleted: 'D',
  renamed: 'R',
  'type-changed': 'T',
  metadata: 'm',
};

/** Returns one change as one line: letter, name, added and removed lines, and problems. */
function statLine(change: StagedChange): DiffLine {
  const { kind, from, path, before, after, conflict, refusal } = change;
  const runs = rebaseCommands(change).length > 0 ? ' (git rebase would run commands)' : '';
  const wrong = `${conflict === undefined ? '' : ` (${conflict.reason})`}${refusal === undefined ? '' : ' (refused)'}${runs}`;
  const name = `${from === undefined ? '' : `${visibleName(from)} -> `}${visibleName(path)}${(after ?? before)?.type === 'directory' ? '/' : ''}`;
  return { kind: wrong === '' ? 'context' : 'warning', text: `${letters[kind]} ${name}${sizeOf(change)}${wrong}` };
}

function sizeOf(change: StagedChange): string {
  const diff = contentDiff(change);
  if (diff.kind === 'none') return '';
  if (diff.kind !== 'text') return ` | ${change.before?.size ?? 0} -> ${change.after?.size ?? 0} bytes`;
  const lines = diff.hunks.flatMap(({ lines: all }) => all);
  return ` | +${lines.filter((line) => line.startsWith('+')).length} -${lines.filter((line) => line.startsWith('-')).length}`;
}
