import { closeSync } from 'node:fs';
import { openPlace, withFileBeneath } from '../changes/index.ts';
import type { Change } from '../types.ts';
import { readContent, type Content } from './content.ts';
import { hunksBetween, type Hunk } from './hunks.ts';

/** How the content of a change's file differs. */
export type ContentDiff =
  | { readonly kind: 'text'; readonly hunks: readonly Hunk[] }
  | { readonly kind: 'binary' | 'large' | 'unreadable' | 'too-different' }
  /** No regular file is involved, or its content is the same. */
  | { readonly kind: 'none' };

/** Compares the file of one change with the host's, both as they are now. */
export function contentDiff(change: Change): ContentDiff {
  const { kind, before, after, root } = change;
  if (kind === 'renamed' || kind === 'metadata') return { kind: 'none' };
  if (before?.type !== 'file' && after?.type !== 'file') return { kind: 'none' };
  const old = before?.type === 'file' ? contentBeneath(root.root, change.path) : empty;
  const fresh = after?.type === 'file' ? contentBeneath(root.upper, change.path) : empty;
  if (old === undefined || fresh === undefined) return { kind: 'unreadable' };
  if (old.kind !== 'text') return { kind: old.kind };
  if (fresh.kind !== 'text') return { kind: fresh.kind };
  const hunks = hunksBetween(old.bytes, fresh.bytes);
  return hunks === undefined ? { kind: 'too-different' } : { kind: 'text', hunks };
}

const empty: Content = { kind: 'text', bytes: '' };

function contentBeneath(root: string, path: Buffer): Content | undefined {
  const place = openPlace(root);
  try {
    return withFileBeneath(place, path, readContent);
  } finally {
    closeSync(place);
  }
}
