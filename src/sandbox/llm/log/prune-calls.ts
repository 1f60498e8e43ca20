import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { timeOfCallId } from './call-id.ts';
import { fileNamed } from './file-name.ts';

export interface Retention {
  /** Milliseconds. */
  readonly keep: number;
  /** Bytes. */
  readonly most: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** What is being written is younger: a crash left it. */
const oldestPart = 86_400_000;

/**
 * Removes what is too old, then the oldest until nine tenths of the most are left, so that not every call has to look. Other sessions
 * may do the same at the same time. Returns the bytes that are left. Throws nothing: what cannot be removed is tried again later.
 */
export async function pruneCalls(directory: string, retention: Retention): Promise<number> {
  const files = (await readdir(directory).catch(() => [])).flatMap((name) => {
    const file = fileNamed(name);
    return file === undefined ? [] : [{ ...file, path: join(directory, name), time: timeOfCallId(file.id) ?? 0 }];
  });
  const { keep, now } = retention;
  const old = files.filter(({ kind, time }) => now - time > (kind === 'part' ? oldestPart : keep));
  for (const { path } of old) await removed(path);
  const left = files.filter((file) => !old.includes(file)).toSorted((one, other) => (one.id < other.id ? 1 : -1));
  return pruneBySize(left, retention);
}

async function pruneBySize(newestFirst: readonly { readonly path: string; readonly kind: 'call' | 'part' }[], { most }: Retention): Promise<number> {
  const sized: { readonly path: string; readonly kind: 'call' | 'part'; readonly size: number }[] = [];
  for (const file of newestFirst) sized.push({ ...file, size: await sizeOf(file.path) });
  const all = sized.reduce((sum, { size }) => sum + size, 0);
  if (all <= most) return all;
  let left = 0;
  for (const { path, kind, size } of sized) {
    if (kind === 'part' || left + size <= most * 0.9) left += size;
    else await removed(path);
  }
  return left;
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0;
}

async function removed(path: string): Promise<void> {
  await rm(path, { force: true }).catch(() => undefined);
}
