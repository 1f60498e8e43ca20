import { lstatSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changesOf, type ChangesOptions } from '../changes/changes-of.ts';
import type { StagedChange, StagedLayer } from '../types.ts';
import { statIn, withTree } from './tree.ts';
import { changeKey } from './select.ts';
import type { AcceptPlan } from './types.ts';

/**
 * Returns the changes of a layer. An undo changes the host too, by the kernel's clock. It is no conflict while the host
 * still has the restored entry.
 */
export function currentChanges(layer: StagedLayer, options: ChangesOptions = {}): readonly StagedChange[] {
  const bases = readBases(layer);
  const changes = changesOf(layer, options);
  return bases.size === 0
    ? changes
    : changes.map((change) =>
        change.conflict !== undefined && isAsPutBack(change, bases) ? withoutConflict(change) : change,
      );
}

/** Records the host's entries after Holdfast itself moved them, except those that were conflicts before. */
export function noteBases(layer: StagedLayer, plan: AcceptPlan): void {
  const bases = new Map(readBases(layer));
  for (const [root, path] of plan.roots.entries()) {
    withTree(path, (tree) => {
      for (const each of [...plan.steps, ...plan.touched]) {
        const stats = each.root === root && !each.disputed ? statIn(tree, each.path) : undefined;
        if (stats !== undefined)
          bases.set(
            changeKey({ root: { root: path, upper: '', work: '' } }, each.path),
            `${stats.ino}:${stats.ctimeNs}`,
          );
      }
    });
  }
  const file = fileOf(layer);
  writeFileSync(`${file}.new`, JSON.stringify([...bases]), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

function isAsPutBack(change: StagedChange, bases: ReadonlyMap<string, string>): boolean {
  const path = change.from ?? change.path;
  const noted = bases.get(changeKey(change, path));
  if (noted === undefined) return false;
  const stats = lstatSync(Buffer.concat([Buffer.from(`${change.root.root}/`), path]), {
    bigint: true,
    throwIfNoEntry: false,
  });
  return stats !== undefined && noted === `${stats.ino}:${stats.ctimeNs}`;
}

function withoutConflict(change: StagedChange): StagedChange {
  const { conflict, ...rest } = change;
  return conflict === undefined ? change : rest;
}

/** An unreadable record leaves all conflicts in place. */
function readBases(layer: StagedLayer): ReadonlyMap<string, string> {
  try {
    return new Map(JSON.parse(readFileSync(fileOf(layer), 'utf8')) as [string, string][]);
  } catch {
    return new Map();
  }
}

function fileOf(layer: StagedLayer): string {
  return join(layer.directory, 'restored.json');
}
