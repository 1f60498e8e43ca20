import { type BigIntStats, lstatSync, readdirSync } from 'node:fs';
import { HoldfastError, isHoldfastError } from '../../errors/index.ts';
import { attributesOf, below, copyTree, withDirectory } from '../../kernel/index.ts';
import { createLayer } from '../store/create-layer.ts';
import type { StagedLayer } from '../types.ts';
import { currentChanges } from './bases.ts';

/**
 * Makes another layer over the same roots with the same content. Files share their blocks if the file system can. The
 * caller holds the layer, and no box has it mounted. On an error there is no new layer. Throws `HF_STAGED_CONFLICT` if
 * the host is newer, `HF_STAGED_INVALID` for an entry that cannot be copied exactly, `HF_DISK_FULL` and
 * `HF_STATE_UNWRITABLE`.
 */
export function forkLayer(state: string, layer: StagedLayer): StagedLayer {
  return createLayer(state, {
    workspace: layer.workspace,
    roots: layer.roots.map(({ root }) => root),
    fill: (roots) => {
      for (const [index, { upper }] of layer.roots.entries()) copyUpper(layer, upper, roots[index]?.upper ?? '');
      refuseConflicts(layer);
    },
  });
}

function copyUpper({ id }: StagedLayer, from: string, to: string): void {
  const [source, copy] = [Buffer.from(from), Buffer.from(to)];
  try {
    copyTree(source, copy);
    insistSame(source, copy);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (isHoldfastError(cause) || code === 'ENOSPC' || code === 'EDQUOT') throw cause;
    throw new HoldfastError('HF_STAGED_INVALID', `the staged layer ${id} cannot be copied: ${message}`, {
      remedy: 'accept or discard these changes, and fork again',
      cause,
    });
  }
}

/**
 * The birth time of an entry shows which host changes came before its copy, and a fork gives it a new birth time. So
 * this runs after the copy: later host changes are then younger than all birth times in it.
 */
function refuseConflicts(layer: StagedLayer): void {
  const paths = currentChanges(layer).flatMap(({ conflict, path }) =>
    conflict === undefined ? [] : [path.toString()],
  );
  if (paths.length === 0) return;
  throw new HoldfastError(
    'HF_STAGED_CONFLICT',
    `the host and the staged layer ${layer.id} changed the same files: ${paths.slice(0, 5).join(', ')}`,
    { remedy: 'accept or discard these changes first: a copy cannot tell them from its base', details: { paths } },
  );
}

/** A copy leaves out metadata that this user may not set, and the new layer would then differ. */
function insistSame(from: Buffer, to: Buffer): void {
  const [before, after] = [lstatSync(from, { bigint: true }), lstatSync(to, { bigint: true })];
  if (!sameFacts(before, after) || !sameAttributes(attributesOf(from), attributesOf(to)))
    throw new Error(`owner, mode, times, links or attributes of ${shown(from)} cannot be copied to another file`);
  if (!before.isDirectory()) return;
  withDirectory(from, (source) =>
    withDirectory(to, (target) => {
      for (const name of readdirSync(below(source, ''), { encoding: 'buffer' }))
        insistSame(below(source, name), below(target, name));
    }),
  );
}

function sameFacts(before: BigIntStats, after: BigIntStats): boolean {
  const facts = ({ mode, uid, gid, rdev, mtimeNs }: BigIntStats): string => [mode, uid, gid, rdev, mtimeNs].join();
  // Overlayfs itself keeps an extra name for a whiteout.
  const links = before.isFile() ? before.nlink === after.nlink && before.size === after.size : true;
  return links && facts(before) === facts(after);
}

function sameAttributes(before: ReadonlyMap<string, Buffer>, after: ReadonlyMap<string, Buffer>): boolean {
  const [old, fresh] = [carried(before), carried(after)];
  return old.length === fresh.length && old.every(([name, value]) => after.get(name)?.equals(value) === true);
}

/** Labels of a security module belong to the path of a file, not to the file. */
function carried(attributes: ReadonlyMap<string, Buffer>): readonly (readonly [string, Buffer])[] {
  return [...attributes].filter(([name]) => !name.startsWith('security.') || name === 'security.capability');
}

/** Shows only the name, because the path leads through an open directory. */
function shown(path: Buffer): string {
  return JSON.stringify(path.subarray(path.lastIndexOf('/') + 1).toString());
}
