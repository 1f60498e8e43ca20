import { mkdirSync } from 'node:fs';
import { exchangeNames, isKernelError, noReplace, type NameAt, renameAt, setAttribute } from '../../kernel/index.ts';
import { sameContent } from '../changes/compare-entry.ts';
import { copyEntry } from './copy-entry.ts';
import { applyStepMetadata, metadataAt } from './metadata.ts';
import { remove, type Scene } from './scene.ts';
import { StepConflict } from './forward.ts';
import { ancestorsOf, pathAt, statAt, statIn } from './tree.ts';
import { idOf, isDirectoryId, sameInode, sameLook, type AcceptStep } from './types.ts';

/**
 * Reverses one step from any state, any number of times: host and layer get their old entries back. Throws
 * `StepConflict` if someone else put an entry at the host's name. That entry stays, and the old one stays in the
 * record. Looks only at where entries are, so no record of single steps is needed.
 */
export function reverse(scene: Scene, step: AcceptStep): void {
  scene.pace('unstep');
  if (step.kind === 'put' || step.whiteout) makeUpperParents(scene, step);
  if (statAt(scene.aside(step)) !== undefined) intoLayer(step, scene.aside(step), scene.upper(step));
  scene.pace('unaside');
  if (hasWay(scene, step)) reverseHost(scene, step);
  restoreMarks(scene, step);
}

/** Returns whether the directory exists. A directory that was not made yet, or was already removed, needs no repair. */
function hasWay(scene: Scene, step: AcceptStep): boolean {
  try {
    scene.host(step);
    return true;
  } catch (error) {
    if (!isKernelError(error, 'ENOENT') && !isKernelError(error, 'ENOTDIR')) throw error;
    if (statAt(scene.kept(step)) === undefined) return false;
    throw new StepConflict(step, 'its directory no longer exists');
  }
}

function reverseHost(scene: Scene, step: AcceptStep): void {
  if (step.way === 'copy') remove(scene.draft(step));
  if (step.kind === 'take') giveBack(scene, step);
  else if (step.before === undefined) withdraw(scene, step);
  else exchangeBack(scene, step);
  if (step.kind !== 'put' || isDirectoryId(step.before ?? { mode: 0 })) scene.hostTree(step.root).forget();
  restoreMarks(scene, step);
}

function intoLayer(step: AcceptStep, from: NameAt, to: NameAt): void {
  try {
    renameAt(from, to, noReplace);
  } catch (error) {
    if (isKernelError(error, 'EEXIST')) throw new StepConflict(step, 'it was staged again since');
    throw error;
  }
}

/** Makes missing directories of the layer again, like the host's. */
function makeUpperParents(scene: Scene, { root, path }: AcceptStep): void {
  const upper = scene.upperTree(root);
  const parent = ancestorsOf(path).at(-1);
  if (parent === undefined || statIn(upper, parent) !== undefined) return;
  for (const ancestor of ancestorsOf(path)) {
    if (statIn(upper, ancestor) !== undefined) continue;
    const host = statIn(scene.hostTree(root), ancestor);
    const place = upper.place(ancestor);
    mkdirSync(pathAt(place), { mode: 0o700 });
    if (host?.isDirectory() === true) applyStepMetadata(place, metadataAt(scene.hostTree(root).place(ancestor), host));
  }
}

function giveBack(scene: Scene, step: AcceptStep): void {
  const bay = recoverOld(scene, step);
  if (bay === undefined) return;
  try {
    renameAt(bay, scene.host(step), noReplace);
  } catch (error) {
    if (!isKernelError(error, 'EEXIST')) throw error;
    const restored = isRestored(scene, step);
    keepAgain(scene, step, bay);
    if (!restored) throw new StepConflict(step, 'something else is there now');
  }
  scene.pace('given back');
  dropKept(scene, step);
}

/** Moves the new entry back to where it was. */
function withdraw(scene: Scene, step: AcceptStep): void {
  const [bay, host] = [scene.bay(step), scene.host(step)];
  if (step.way === 'copy') remove(bay);
  else if (statAt(bay) !== undefined) return;
  const found = statAt(host);
  if (found === undefined) return;
  if (!isOurs(scene, step, host)) throw new StepConflict(step, 'it has changed since the accept');
  renameAt(host, bay, noReplace);
  scene.pace('withdrawn');
  if (step.way === 'move') return;
  if (isOurs(scene, step, bay) && tryRemove(bay)) return;
  renameAt(bay, host, noReplace);
  throw new StepConflict(step, 'it has changed since the accept');
}

function exchangeBack(scene: Scene, step: AcceptStep): void {
  const bay = recoverOld(scene, step);
  if (bay === undefined) return;
  const host = scene.host(step);
  try {
    renameAt(bay, host, exchangeNames);
  } catch (error) {
    if (!isKernelError(error, 'ENOENT')) throw error;
    // Someone has removed the entry since. The old one still returns to its name.
    renameAt(bay, host, noReplace);
    return dropKept(scene, step);
  }
  scene.pace('exchanged back');
  if (!isOurs(scene, step, bay) && !isOldAgain(step, bay)) {
    renameAt(bay, host, exchangeNames);
    keepAgain(scene, step, bay);
    throw new StepConflict(step, 'it has changed since the accept');
  }
  if (step.way === 'copy' && !tryRemove(bay)) {
    renameAt(bay, host, exchangeNames);
    keepAgain(scene, step, bay);
    throw new StepConflict(step, 'something was put into it since');
  }
  dropKept(scene, step);
}

/** Returns where the host's old entry is, so that it can get its name back. Undefined if it never lost its name. */
function recoverOld(scene: Scene, step: AcceptStep): NameAt | undefined {
  const [bay, kept] = [scene.bay(step), scene.kept(step)];
  const found = statAt(bay);
  if (found !== undefined && step.before !== undefined && sameInode(idOf(found), step.before)) return bay;
  const old = statAt(kept);
  if (old === undefined) {
    if (step.way === 'copy' && found !== undefined) remove(bay);
    return undefined;
  }
  if (step.way === 'move') {
    intoLayer(step, kept, bay);
    return bay;
  }
  // A process that died here may have left its copy of the old entry, or the new entry just taken from its name.
  if (found !== undefined && !isOurs(scene, step, bay) && !isOldAgain(step, bay))
    throw new StepConflict(step, 'it has changed since the accept');
  remove(bay);
  bringBack(scene, step);
  return bay;
}

/**
 * Moves or copies the record's entry beside its name. The record keeps the original of a copy until the copy has its
 * name.
 */
function bringBack(scene: Scene, step: AcceptStep): void {
  const [bay, draft, kept] = [scene.bay(step), scene.draft(step), scene.kept(step)];
  try {
    return renameAt(kept, bay, noReplace);
  } catch (error) {
    if (!isKernelError(error, 'EXDEV')) throw error;
  }
  copyEntry(kept, draft);
  renameAt(draft, bay, noReplace);
}

/**
 * Moves the old entry back into the record if it cannot get its name, so that no temporary name stays beside the
 * destination.
 */
function keepAgain(scene: Scene, step: AcceptStep, bay: NameAt): void {
  const kept = scene.kept(step);
  if (statAt(kept) !== undefined) return step.way === 'copy' ? remove(bay) : undefined;
  try {
    renameAt(bay, kept, noReplace);
  } catch (error) {
    if (!isKernelError(error, 'EXDEV')) throw error;
    copyEntry(bay, kept);
    remove(bay);
  }
}

function dropKept(scene: Scene, step: AcceptStep): void {
  scene.pace('restored');
  remove(scene.kept(step));
}

/** Returns whether an entry is the one that this step put on the host, unmodified. */
function isOurs(scene: Scene, step: AcceptStep, place: NameAt): boolean {
  const stats = statAt(place);
  if (stats === undefined) return false;
  if (step.kind === 'make') return stats.isDirectory();
  if (step.staged === undefined) return false;
  if (step.way === 'move') return sameInode(idOf(stats), step.staged);
  if (!sameLook(idOf(stats), step.staged)) return false;
  return !stats.isFile() || sameContent(pathAt(place), pathAt(scene.upper(step)), Number(stats.size));
}

/** An interrupted restore had already put the old entry's copy there. */
function isOldAgain({ before }: AcceptStep, place: NameAt): boolean {
  const stats = statAt(place);
  return stats !== undefined && before !== undefined && sameLook(idOf(stats), before);
}

/** A process that died had already given the name back, to a copy of the record's entry. */
function isRestored(scene: Scene, step: AcceptStep): boolean {
  const [host, kept] = [scene.host(step), scene.kept(step)];
  const stats = statAt(host);
  if (step.way === 'move' || stats === undefined || statAt(kept) === undefined || !isOldAgain(step, host)) return false;
  return !stats.isFile() || sameContent(pathAt(host), pathAt(kept), Number(stats.size));
}

/** Returns false for a directory with entries. */
function tryRemove(place: NameAt): boolean {
  try {
    remove(place);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTEMPTY') return false;
    throw error;
  }
}

/** Restores the overlay's own attributes of a staged file. Without them its origin would be lost. */
function restoreMarks(scene: Scene, step: AcceptStep): void {
  if (step.marks.size === 0 || step.way === 'copy') return;
  const upper = scene.upper(step);
  const stats = statAt(upper);
  if (stats === undefined || step.staged === undefined || !sameInode(idOf(stats), step.staged)) return;
  for (const [name, value] of step.marks) setAttribute(pathAt(upper), name, value);
}
