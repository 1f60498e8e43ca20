import { existsSync, lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { identifiers, readManifest } from './manifest.ts';
import { removeDurably, type Store, writeDurably } from './store.ts';

/** Runs `work`, which writes or removes objects. What is left half done by a kill or an error is cleared away. */
export function changing<T>(store: Store, work: () => T): T {
  recover(store);
  writeDurably(store.marker, '');
  try {
    const value = work();
    removeDurably(store.marker);
    return value;
  } catch (error) {
    recover(store);
    throw error;
  }
}

/** Removes every object that no manifest refers to. A damaged manifest keeps all of them: what it needs cannot be known. */
export function collectGarbage(store: Store): void {
  const needed = neededObjects(store);
  let bytes = 0;
  for (const shard of readdirSync(store.objects)) {
    const directory = join(store.objects, shard);
    if (shard === 'incoming') rmSync(directory);
    else for (const name of readdirSync(directory)) {
      if (needed?.has(shard + name) === false) rmSync(join(directory, name));
      else bytes += allocated(join(directory, name));
    }
  }
  writeDurably(store.usage, String(bytes));
}

/** Bytes of all objects. */
export function usedBytes({ usage }: Store): number {
  return existsSync(usage) ? Number(readFileSync(usage, 'utf8')) : 0;
}

const block = 512;

/** Holes take nothing. */
function allocated(path: string): number {
  const { size, blocks } = lstatSync(path);
  return Math.min(size, blocks * block);
}

function recover(store: Store): void {
  if (!existsSync(store.marker)) return;
  collectGarbage(store);
  removeDurably(store.marker);
}

function neededObjects(store: Store): ReadonlySet<string> | undefined {
  try {
    return new Set(identifiers(store).flatMap((id) => readManifest(store, id).entries.flatMap((entry) => (entry.kind === 'file' ? entry.object : []))));
  } catch {
    return undefined;
  }
}
