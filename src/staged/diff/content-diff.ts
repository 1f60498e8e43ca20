import { closeSync, fstatSync, readSync } from 'node:fs';
import { structuredPatch } from 'diff';
import { openPlace, withFileBeneath } from '../changes/place.ts';
import type { StagedChange } from '../types.ts';

/** Difference of the content of a change's file. */
export type ContentDiff =
  | { readonly kind: 'text'; readonly hunks: readonly Hunk[] }
  | { readonly kind: 'binary' | 'large' | 'unreadable' | 'too-different' }
  /** No regular file is involved, or its content is the same. */
  | { readonly kind: 'none' };

/** Compares the file of one change with the host's, both as they are now. */
export function contentDiff(change: StagedChange): ContentDiff {
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
    return withFileBeneath(place, path, readForDiff);
  } finally {
    closeSync(place);
  }
}

/** Content of a file that can be shown. */
type Content =
  | { readonly kind: 'text' /** One character per byte, so that nothing is lost. */; readonly bytes: string }
  | { readonly kind: 'binary' }
  /** Too large for a person to read. */
  | { readonly kind: 'large' };

/** Bytes. Larger files are listed with their sizes only. */
const largestShown = 1 << 20;
/** Bytes searched for a NUL, as in git. */
const looked = 8000;

/** Reads an open regular file. */
export function readForDiff(file: number): Content {
  const { size } = fstatSync(file);
  const buffer = Buffer.allocUnsafe(Math.min(size, largestShown) + 1);
  let filled = 0;
  for (let read = 1; read > 0 && filled < buffer.length; filled += read)
    read = readSync(file, buffer, filled, buffer.length - filled, filled);
  const bytes = buffer.subarray(0, filled);
  if (bytes.subarray(0, looked).includes(0)) return { kind: 'binary' };
  if (filled > largestShown || size > largestShown) return { kind: 'large' };
  return bytes.includes(0) ? { kind: 'binary' } : { kind: 'text', bytes: bytes.toString('latin1') };
}

/** A part in which two texts differ, as in unified diffs. */
export interface Hunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  /** Lines begin with ` `, `-`, `+` or `\`, and have one character for each byte. */
  readonly lines: readonly string[];
}

/**
 * Returns hunks between two texts, with three lines of context. Undefined if the diff takes longer than a quarter of a
 * second. A box could make texts that are slow to compare, and they must not hold up a review.
 */
export function hunksBetween(before: string, after: string): readonly Hunk[] | undefined {
  return structuredPatch('', '', before, after, '', '', { context: 3, timeout: longest })?.hunks;
}

/** Milliseconds. */
const longest = 250;
