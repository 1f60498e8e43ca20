import { execFileSync } from 'node:child_process';
import { chmodSync, linkSync, lstatSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { StagedChange } from '../../types.ts';

/** Applies changes in the simplest way, slowly and without any guard. Tests compare the list of changes with it. */
export function applyReference(changes: readonly StagedChange[], host: string): void {
  const removed = changes.filter(({ kind }) => kind === 'deleted' || kind === 'renamed' || kind === 'type-changed');
  for (const { from, path } of removed.toReversed())
    rmSync(join(host, (from ?? path).toString()), { recursive: true, force: true });
  const firstOf = new Map<bigint, string>();
  for (const change of changes) place(change, { target: join(host, change.path.toString()), firstOf });
}

function place(
  { root, path, after }: StagedChange,
  { target, firstOf }: { readonly target: string; readonly firstOf: Map<bigint, string> },
): void {
  if (after === undefined) return;
  if (after.type === 'directory') {
    if (lstatSync(target, { throwIfNoEntry: false }) === undefined) mkdirSync(target);
    return chmodSync(target, after.mode);
  }
  // Makes a new file each time, because the host's may have other names that this change does not concern.
  rmSync(target, { force: true });
  const first = firstOf.get(after.inode);
  if (first !== undefined) return linkSync(first, target);
  if (after.links > 1) firstOf.set(after.inode, target);
  execFileSync('cp', ['-a', '-T', join(root.upper, path.toString()), target], { timeout: 60_000 });
}
