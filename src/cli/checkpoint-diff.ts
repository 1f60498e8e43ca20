import type { Entry, ShownDifference } from '../checkpoints/index.ts';
import { visibleName } from '../staged/diff/visible-text.ts';
import { patchLines } from './patch-lines.ts';

/** What a person reads of what has changed. At most 1,000 paths; what a box wrote is made visible. */
export function* differenceLines(differences: readonly ShownDifference[], detail: 'names' | 'patch'): Iterable<string> {
  for (const difference of differences.slice(0, mostShown)) {
    yield summaryLine(difference);
    if (detail === 'patch') yield* patchOf(difference);
  }
  if (differences.length > mostShown) yield `and ${differences.length - mostShown} more (all of them with --json)`;
  if (differences.length === 0) yield 'nothing has changed';
}

/** Paths as text and, exactly, as bytes in base64. */
export function differenceJson({ path, kind, before, after }: ShownDifference): unknown {
  const bytes = Buffer.from(path, 'latin1');
  return { path: bytes.toString('utf8'), pathBytes: bytes.toString('base64'), kind, before: before === undefined ? undefined : facts(before), after: after === undefined ? undefined : facts(after) };
}

const mostShown = 1000;

const letters: Readonly<Record<ShownDifference['kind'], string>> = { added: 'A', deleted: 'D', replaced: 'T', modified: 'M', linked: 'L', metadata: 'm' };

function summaryLine({ kind, path, before, after }: ShownDifference): string {
  const [was, is] = [before === undefined ? '' : described(before), after === undefined ? '' : described(after)];
  const change = was !== '' && is !== '' && was !== is ? `  (${was} → ${is})` : '';
  return `${letters[kind]} ${path === '' ? '.' : visible(path)}${after?.kind === 'directory' || (after === undefined && before?.kind === 'directory') ? '/' : ''}${change}`;
}

function described(entry: Entry): string {
  const kind = entry.kind === 'symlink' ? `symlink to ${visible(entry.target)}` : entry.kind;
  const attributes = Object.keys(entry.attributes);
  return `${kind} ${entry.mode.toString(8).padStart(4, '0')} ${entry.uid}:${entry.gid}${attributes.length === 0 ? '' : ` with ${attributes.map((name) => visible(name)).join(' ')}`}`;
}

function* patchOf({ contents }: ShownDifference): Iterable<string> {
  if (contents === undefined) return;
  for (const { text } of patchLines(contents.before ?? Buffer.alloc(0), contents.after ?? Buffer.alloc(0))) yield text;
}

function facts(entry: Entry): unknown {
  const { kind, mode, uid, gid, modified } = entry;
  return { kind, mode, uid, gid, modified: String(modified), size: entry.kind === 'file' ? entry.size : undefined, sha256: entry.kind === 'file' ? entry.object : undefined, target: entry.kind === 'symlink' ? Buffer.from(entry.target, 'latin1').toString('utf8') : undefined };
}

function visible(path: string): string {
  return visibleName(Buffer.from(path, 'latin1'));
}
