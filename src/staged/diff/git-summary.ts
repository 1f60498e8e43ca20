import { closeSync } from 'node:fs';
import { execCommands } from '../../git-config/rebase-list.ts';
import { openPlace, withFileBeneath } from '../changes/place.ts';
import type { StagedChange } from '../types.ts';
import { readForDiff } from './content-diff.ts';
import type { DiffLine } from './describe-change.ts';
import { visibleName, visibleText } from './visible-text.ts';

/** Changes inside git directories, which nobody reads byte by byte. */
export interface GitSummary {
  readonly lines: readonly DiffLine[];
  /** Changes outside of git's own files, and those that need a decision. They are shown one by one. */
  readonly rest: readonly StagedChange[];
}

/**
 * Takes git's own files out of a list of changes. Objects are counted, refs are shown as `old..new`, and the rest by
 * name.
 */
export function gitSummary(changes: readonly StagedChange[]): GitSummary {
  const inside = changes.filter((change) => isPlain(change) && partsOf(change) !== undefined);
  const taken = new Set(inside);
  const groups = Map.groupBy(inside, (change) => `${change.root.root}/${partsOf(change)?.directory ?? ''}`);
  return {
    lines: [...groups].flatMap(([directory, group]) => linesOf(directory, group)),
    rest: changes.filter((change) => !taken.has(change)),
  };
}

function isPlain({ conflict, refusal }: StagedChange): boolean {
  return conflict === undefined && refusal === undefined;
}

interface Parts {
  /** Path up to and including `.git`. */
  readonly directory: string;
  /** Path below it. Empty for the directory itself. */
  readonly inside: string;
}

function partsOf({ root, path }: StagedChange): Parts | undefined {
  const text = path.toString('latin1');
  const found = /^(?<directory>(?:.*?\/)?\.git)(?:\/(?<inside>.*))?$/su.exec(text)?.groups;
  if (found !== undefined) return { directory: found['directory'] ?? '', inside: found['inside'] ?? '' };
  return root.root.endsWith('/.git') ? { directory: '', inside: text } : undefined;
}

function linesOf(directory: string, group: readonly StagedChange[]): readonly DiffLine[] {
  const files = group.filter(({ before, after }) => (after ?? before)?.type !== 'directory');
  const byKind = Map.groupBy(files, (change) => kindOf(partsOf(change)?.inside ?? ''));
  const objects = Map.groupBy(byKind.get('object') ?? [], ({ kind }) => kind);
  return [
    { kind: 'heading', text: `git ${visibleName(Buffer.from(directory.replace(/\/$/u, ''), 'latin1'))}` },
    ...[...objects].map(
      ([what, list]): DiffLine => ({
        kind: 'note',
        text: `${list.length} ${list.length === 1 ? 'object' : 'objects'} ${what}`,
      }),
    ),
    ...files.flatMap((change) =>
      rebaseCommands(change).map(
        (command): DiffLine => ({
          kind: 'warning',
          text: `git rebase --continue would run: ${visibleText(Buffer.from(command, 'latin1'))}`,
        }),
      ),
    ),
    ...(byKind.get('ref') ?? []).map(refLine),
    ...(byKind.get('other') ?? []).map(
      (change): DiffLine => ({ kind: 'note', text: `${change.kind} ${nameOf(change)}` }),
    ),
  ];
}

/** Commands that a list of an interactive rebase would run, in latin1. Empty for any other file. */
export function rebaseCommands({ root, path, after }: StagedChange): readonly string[] {
  if (after === undefined || !path.toString('latin1').endsWith('rebase-merge/git-rebase-todo')) return [];
  const place = openPlace(root.upper);
  try {
    const content = withFileBeneath(place, path, readForDiff);
    return content?.kind === 'text' ? execCommands(content.bytes) : [];
  } finally {
    closeSync(place);
  }
}

/** Returns the first command of a list, in latin1, that the list on the host does not have. */
export function plantedCommand(list: string, own: string): string | undefined {
  const known = execCommands(own);
  return execCommands(list).find((command) => !known.includes(command));
}

function kindOf(inside: string): 'object' | 'ref' | 'other' {
  if (/^objects\/(?:[0-9a-f]{2}|pack)\//u.test(inside)) return 'object';
  return /^(?:refs\/|HEAD$|[A-Z_]+_HEAD$|worktrees\/[^/]+\/HEAD$)/u.test(inside) ? 'ref' : 'other';
}

function nameOf(change: StagedChange): string {
  return visibleName(Buffer.from(partsOf(change)?.inside ?? '', 'latin1'));
}

function refLine(change: StagedChange): DiffLine {
  const { root, path, from = path, before, after } = change;
  const old = before === undefined ? 'none' : valueOf(root.root, from);
  const fresh = after === undefined ? 'none' : valueOf(root.upper, path);
  return { kind: 'note', text: `${nameOf(change)} ${old}..${fresh}` };
}

/** Returns the start of an object's name, or the target of a symbolic ref. */
function valueOf(root: string, path: Buffer): string {
  const place = openPlace(root);
  try {
    const content = withFileBeneath(place, path, readForDiff);
    const line = content?.kind === 'text' ? (content.bytes.split('\n')[0] ?? '') : '?';
    return /^[0-9a-f]{40,64}$/u.test(line)
      ? line.slice(0, 12)
      : visibleName(Buffer.from(line.replace(/^ref: /u, '').slice(0, 200), 'latin1'));
  } finally {
    closeSync(place);
  }
}
