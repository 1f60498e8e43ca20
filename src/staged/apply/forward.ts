import { mkdirSync, readdirSync } from 'node:fs';
import { HoldfastError } from '../../errors/index.ts';
import {
  exchangeNames,
  isKernelError,
  linkAt,
  noReplace,
  type NameAt,
  removeAttribute,
  renameAt,
} from '../../kernel/index.ts';
import { copyEntry } from './copy-entry.ts';
import { type Scene, transfer } from './scene.ts';
import { pathAt, statAt } from './tree.ts';
import { type EntryId, idOf, isDirectoryId, type AcceptPlan, sameEntry, sameLook, type AcceptStep } from './types.ts';

/** The first name of each hard-linked file. Its other names become links to it. */
export type Links = Map<string, AcceptStep>;

/**
 * Makes one step. The name on the host switches from old to new at once, and the old entry is checked only then. So a
 * write from a moment before is found, and put back. Throws `StepConflict`, `KernelError` and the errors of `node:fs`.
 * `reverse` repairs any state in between.
 */
export function forward(scene: Scene, step: AcceptStep, links: Links): void {
  const { pace } = scene;
  pace('step');
  const bay = scene.bay(step);
  if (step.kind === 'take') takeOut(scene, step, bay);
  else {
    fill(scene, step, { bay, links });
    pace('filled');
    enter(scene, step, bay);
  }
  if (step.kind !== 'put' || isDirectoryId(step.before ?? { mode: 0 })) scene.hostTree(step.root).forget();
  pace('entered');
  if (step.whiteout || (step.kind === 'put' && step.way === 'copy'))
    renameAt(scene.upper(step), scene.aside(step), noReplace);
}

function fill(scene: Scene, step: AcceptStep, { bay, links }: { readonly bay: NameAt; readonly links: Links }): void {
  if (step.kind === 'make') return mkdirSync(pathAt(bay), { mode: 0o700 });
  const upper = scene.upper(step);
  if (step.way === 'move') {
    for (const name of step.marks.keys()) unmark(upper, name);
    return;
  }
  const key = `${step.root}:${step.staged?.inode}`;
  const first = links.get(key);
  if (first === undefined) {
    links.set(key, step);
    return copyEntry(upper, bay);
  }
  linkAt(scene.host(first), bay);
  // Other processes can write at the first name, so check that the link is ours.
  const linked = statAt(bay);
  if (linked === undefined || step.staged === undefined || !sameLook(idOf(linked), step.staged))
    throw new StepConflict(first, 'it was changed on the host just now');
}

/** Another name of the same file may have removed the mark before. */
function unmark(place: NameAt, name: string): void {
  try {
    removeAttribute(pathAt(place), name);
  } catch (error) {
    if (!isKernelError(error, 'ENODATA')) throw error;
  }
}

function enter(scene: Scene, step: AcceptStep, bay: NameAt): void {
  const { before } = step;
  const host = scene.host(step);
  if (before === undefined) return enterFree(step, bay, host);
  try {
    renameAt(bay, host, exchangeNames);
  } catch (error) {
    if (isKernelError(error, 'ENOENT')) throw new StepConflict(step, 'it was removed on the host just now');
    throw error;
  }
  scene.pace('exchanged');
  if (!isUntouched(bay, before)) {
    renameAt(bay, host, exchangeNames);
    throw new StepConflict(step, 'it was changed on the host just now');
  }
  stow(scene, step, bay);
}

function enterFree(step: AcceptStep, bay: NameAt, host: NameAt): void {
  try {
    renameAt(bay, host, noReplace);
  } catch (error) {
    if (isKernelError(error, 'EEXIST')) throw new StepConflict(step, 'it appeared on the host just now');
    throw error;
  }
}

function takeOut(scene: Scene, step: AcceptStep, bay: NameAt): void {
  const host = scene.host(step);
  try {
    renameAt(host, bay, noReplace);
  } catch (error) {
    if (isKernelError(error, 'ENOENT')) throw new StepConflict(step, 'it was removed on the host just now');
    throw error;
  }
  scene.pace('taken');
  if (step.before === undefined || !isUntouched(bay, step.before)) {
    renameAt(bay, host, noReplace);
    throw new StepConflict(step, 'it was changed on the host just now');
  }
  stow(scene, step, bay);
}

/** Moves an entry into the record, from which undo restores it. */
function stow(scene: Scene, step: AcceptStep, bay: NameAt): void {
  const kept = scene.kept(step);
  if (kept.directory === bay.directory && kept.name === bay.name) return;
  const draft = { directory: kept.directory, name: `${String(kept.name)}+` };
  transfer(bay, kept, { draft });
  scene.pace('stowed');
}

/** Returns whether an entry taken from its name is the one that the plan saw. A directory must be empty. */
function isUntouched(place: NameAt, before: EntryId): boolean {
  const stats = statAt(place);
  if (stats === undefined || !sameEntry(idOf(stats), before)) return false;
  return !stats.isDirectory() || readdirSync(pathAt(place)).length === 0;
}

/** A name on the host does not have the entry that Holdfast left there. */
export class StepConflict extends Error {
  readonly step: AcceptStep;

  constructor(step: AcceptStep, reason: string) {
    super(reason);
    this.step = step;
  }
}

/** Returns the absolute path of a step, for messages. */
export function stepPath(
  { roots }: Pick<AcceptPlan, 'roots'>,
  { root, path }: Pick<AcceptStep, 'root' | 'path'>,
): string {
  return `${roots[root]}/${path.toString()}`;
}

/** Returns the error of a failed accept. Everything was put back before. */
export function acceptFailed(plan: AcceptPlan, cause: unknown): unknown {
  if (cause instanceof StepConflict) {
    const path = stepPath(plan, cause.step);
    return new HoldfastError(
      'HF_STAGED_CONFLICT',
      `${JSON.stringify(path)}: ${cause.message}; everything is as it was before`,
      { remedy: 'look at it with `holdfast review` and accept again', cause, details: { paths: [path] } },
    );
  }
  const { code, message } = cause as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new HoldfastError(
      'HF_DISK_FULL',
      'the disk is full: nothing was accepted, and the layer is as it was before',
      { remedy: 'free some space, and accept again', cause },
    );
  if (code === undefined) return cause;
  return new HoldfastError(
    'HF_STAGED_FAILED',
    `accepting failed (${message}): nothing was accepted, and the layer is as it was before`,
    {
      remedy: remedies.get(code) ?? 'fix that on the host, and accept again',
      cause,
      details: { errno: code },
    },
  );
}

const remedies: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'give yourself the right to write there, and accept again'],
  ['EPERM', 'give yourself the right to write there, and accept again'],
  ['EROFS', 'make the file system writable, and accept again'],
  ['ELOOP', 'a directory on the way is a symlink now: put it back, and accept again'],
  ['EXDEV', 'a directory on the way is now on another file system: unmount it, and accept again'],
]);
