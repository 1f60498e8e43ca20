/**
 * Accepts, discards and undoes the changes of a staged layer. Everything that writes to the host's side of a staged
 * workspace is here. It works entry by entry, through open directories, after a plan that is first written to the disk.
 *
 * `changes` finds the changes. Protected names are decided elsewhere and passed in.
 */
import { join } from 'node:path';
import { HoldfastError } from '../../errors/index.ts';
import { isKernelError } from '../../kernel/index.ts';
import { escapeHidden } from '../../text/escape-hidden.ts';
import type { Judge } from '../changes/judge.ts';
import { holdLayer } from '../store/lock-layer.ts';
import type { StagedChange, StagedLayer } from '../types.ts';
import { currentChanges, noteBases } from './bases.ts';
import { acceptFailed, forward, type Links } from './forward.ts';
import { appendMark, syncDirectory, writePlan } from './journal.ts';
import { planAccept, type PlanOptions } from './plan-accept.ts';
import { journalName, removeRecord, withNewRecord } from './record.ts';
import { openScene, type Pace } from './scene.ts';
import { changeKey, type StagedLeftOut, select, type Selected } from './select.ts';
import { openTree } from './tree.ts';
import type { AcceptPlan } from './types.ts';
import { dress, finishAccept, recoverAccepts, type Recovered, syncSides, unmakeHeld } from './unmake.ts';

export interface AcceptOptions {
  /** Holdfast's state directory. */
  readonly state: string;
  /** Judges which names are protected. */
  readonly judge?: Judge;
  /** Absolute paths on the host, with everything in them. Default: all changes. */
  readonly paths?: readonly Buffer[];
  /** `nothing`: if a change cannot be accepted, none is. `rest`: all other changes are accepted. Default: `nothing`. */
  readonly otherwise?: 'nothing' | 'rest';
  /**
   * `leave`: newer entries on the host stay. `overwrite`: they are replaced, and undo can bring them back. Default:
   * `leave`.
   */
  readonly conflicts?: 'leave' | 'overwrite';
  readonly pace?: Pace;
}

export interface ApplyReport {
  readonly accepted: readonly StagedChange[];
  /** Requested changes that are still staged. */
  readonly leftOut: readonly StagedLeftOut[];
  /** Changes that the layer still holds. 0: the layer is gone. */
  readonly left: number;
  /** Earlier accepts and undos that were interrupted and are completed now. */
  readonly recovered: readonly Recovered[];
}

/**
 * Puts staged changes onto the host: all requested ones or none, even after a crash. Each name always holds the old
 * entry or the new one. Replaced entries are kept for `undoAccept`. Throws `HF_STAGED_REFUSED` for protected names and
 * `HF_STAGED_CONFLICT` for newer entries on the host. Throws `HF_USAGE` for paths without a change below, and
 * `HF_STAGED_BUSY`, `HF_STAGED_INVALID`, `HF_STAGED_FAILED`, `HF_DISK_FULL`.
 */
export function applyLayer(layer: StagedLayer, options: AcceptOptions): ApplyReport {
  const recovered = recoverAccepts(options.state, options.pace);
  const hold = holdLayer(layer);
  try {
    const changes = currentChanges(layer, options.judge === undefined ? {} : { judge: options.judge });
    const conflicts = options.conflicts ?? 'leave';
    const selected = select(changes, { conflicts, ...(options.paths === undefined ? {} : { paths: options.paths }) });
    complain(selected, options);
    const left = changes.length - selected.chosen.length;
    if (selected.chosen.length > 0)
      carryOut(layer, options, {
        chosen: selected.chosen,
        conflicts,
        emptied: left === 0,
        ways: 'any',
        disputed: disputedOf(changes),
      });
    return { accepted: selected.chosen, leftOut: selected.leftOut, left, recovered };
  } finally {
    hold.release();
  }
}

function disputedOf(changes: readonly StagedChange[]): ReadonlySet<string> {
  return new Set(
    changes
      .filter(({ conflict }) => conflict !== undefined)
      .flatMap((change) => [change.path, change.from ?? change.path].map((path) => changeKey(change, path))),
  );
}

function complain({ leftOut, unmatched }: Selected, { otherwise }: AcceptOptions): void {
  const [path] = unmatched;
  if (path !== undefined)
    throw new HoldfastError('HF_USAGE', `nothing is staged at or below ${JSON.stringify(path.toString())}`, {
      remedy: 'see `holdfast review --name-only`',
    });
  if (leftOut.length === 0 || otherwise === 'rest') return;
  const refused = leftOut.filter(({ reason }) => reason === 'refused');
  const [code, shown, what] =
    refused.length > 0
      ? (['HF_STAGED_REFUSED', refused, 'protected'] as const)
      : (['HF_STAGED_CONFLICT', leftOut.filter(({ reason }) => reason === 'conflict'), 'newer on the host'] as const);
  const paths = shown.map(({ change }) => Buffer.from(changeKey(change, change.path), 'latin1').toString());
  const lines = shown
    .slice(0, 20)
    .map(
      ({ change }, index) =>
        `\n  ${JSON.stringify(paths[index])}: ${escapeHidden(change.refusal?.reason ?? change.conflict?.reason ?? '')}`,
    );
  throw new HoldfastError(
    code,
    `nothing was accepted: ${shown.length} of the changes ${shown.length === 1 ? 'is' : 'are'} ${what}${lines.join('')}${shown.length > 20 ? `\n  and ${shown.length - 20} more` : ''}`,
    {
      remedy:
        refused.length > 0
          ? 'accept the rest with `--all`, then discard these, or release their names in your own policy'
          : 'accept the rest with `--all`, then discard these, or overwrite the files of the host with `--overwrite`',
      details: { paths },
    },
  );
}

function carryOut(layer: StagedLayer, options: AcceptOptions, planOptions: PlanOptions): void {
  try {
    attempt(layer, options, planOptions);
  } catch (error) {
    // Some file systems refuse moves that look possible: directories of an overlay, other quota projects.
    if (planOptions.ways === 'copy' || !isKernelError(error, 'EXDEV') || error.syscall !== 'renameat2') throw error;
    attempt(layer, options, { ...planOptions, ways: 'copy' });
  }
}

function attempt(layer: StagedLayer, options: AcceptOptions, planOptions: PlanOptions): void {
  const plan = planned(layer, planOptions);
  withNewRecord(options.state, (record) => {
    try {
      writePlan(join(record, journalName), plan);
      syncDirectory(record);
    } catch (error) {
      removeRecord(record);
      throw acceptFailed(plan, error);
    }
    perform(plan, { layer, record, pace: options.pace ?? (() => {}) });
    options.pace?.('committed');
    finishAccept(plan, { state: options.state, record });
  });
}

function planned(layer: StagedLayer, options: PlanOptions): AcceptPlan {
  const trees = layer.roots.map(({ root, upper }) => ({ host: openTree(root), upper: openTree(upper) }));
  try {
    return planAccept(layer, trees, options);
  } finally {
    for (const { host, upper } of trees) {
      host.close();
      upper.close();
    }
  }
}

interface Performance {
  readonly layer: StagedLayer;
  readonly record: string;
  readonly pace: Pace;
}

function perform(plan: AcceptPlan, { layer, record, pace }: Performance): void {
  const scene = openScene(plan, { record, pace, uppers: layer.roots.map(({ upper }) => upper) });
  try {
    const links: Links = new Map();
    for (const step of plan.steps) forward(scene, step, links);
    dress(scene);
    if (!plan.emptied) noteBases(layer, plan);
    syncSides(scene);
    pace('synced');
    appendMark(join(record, journalName), 'commit');
  } catch (error) {
    unmakeHeld(plan, { layer, record, pace });
    if (isKernelError(error, 'EXDEV') && error.syscall === 'renameat2') throw error;
    throw acceptFailed(plan, error);
  } finally {
    scene.close();
  }
}
