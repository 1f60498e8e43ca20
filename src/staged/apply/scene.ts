import { constants, rmdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { isKernelError, noReplace, oPath, openAt, atFdcwd, renameAt, type NameAt } from '../../kernel/index.ts';
import { closeSync } from 'node:fs';
import { copyEntry } from './copy-entry.ts';
import type { AcceptPlan, AcceptStep } from './types.ts';
import { openTree, pathAt, statAt, type Tree } from './tree.ts';

/** Called at each moment at which the process may die. Tests stop it there, and progress displays use it. */
export type Pace = (moment: string) => void;

/** The open directories between which an accept moves entries. */
export interface Scene {
  readonly plan: AcceptPlan;
  readonly pace: Pace;
  host(step: AcceptStep): NameAt;
  upper(step: AcceptStep): NameAt;
  hostTree(root: number): Tree;
  upperTree(root: number): Tree;
  /** Temporary name of the new entry before it gets its name, and of the old entry right after. */
  bay(step: AcceptStep): NameAt;
  /** Temporary name of a copy in progress, which must not pass for a finished one. */
  draft(step: AcceptStep): NameAt;
  /** Name of the host's old entry in the record. */
  kept(step: AcceptStep): NameAt;
  /** Name of the layer's old entry in the record: the whiteout of a deletion, or the original of a copy. */
  aside(step: AcceptStep): NameAt;
  close(): void;
}

export interface SceneOptions {
  /** Directory of the record. */
  readonly record: string;
  readonly pace: Pace;
  /** Upper directories, in the order of the plan's roots. */
  readonly uppers: readonly string[];
}

/** Throws `KernelError` if a root or an upper directory is missing. */
export function openScene(plan: AcceptPlan, { record, pace, uppers }: SceneOptions): Scene {
  const opened: { close(): void }[] = [];
  const keep = <T extends { close(): void }>(thing: T): T => {
    opened.push(thing);
    return thing;
  };
  const close = () => opened.forEach((thing) => thing.close());
  try {
    const hosts = plan.roots.map((root) => keep(openTree(root)));
    const layers = uppers.map((upper) => keep(openTree(upper)));
    const [host, staged] = ['host', 'staged'].map((name) => keep(openRecord(join(record, name))));
    return {
      ...places(plan, { hosts, layers, kept: host?.descriptor ?? -1, aside: staged?.descriptor ?? -1 }),
      plan,
      pace,
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

interface Opened {
  readonly hosts: readonly Tree[];
  readonly layers: readonly Tree[];
  readonly kept: number;
  readonly aside: number;
}

function places(plan: AcceptPlan, { hosts, layers, kept, aside }: Opened): Omit<Scene, 'plan' | 'pace' | 'close'> {
  const numbers = new Map(plan.steps.map((step, index) => [step, String(index)]));
  const numberOf = (step: AcceptStep) => numbers.get(step) ?? 'none';
  const hostTree = (root: number) => treeOf(hosts, root);
  const upperTree = (root: number) => treeOf(layers, root);
  const host = (step: AcceptStep) => hostTree(step.root).place(step.path);
  const upper = (step: AcceptStep) => upperTree(step.root).place(step.path);
  const keptOf = (step: AcceptStep): NameAt => ({ directory: kept, name: numberOf(step) });
  const beside = (step: AcceptStep, mark: string): NameAt => ({
    directory: host(step).directory,
    name: `.holdfast-${plan.nonce}-${numberOf(step)}${mark}`,
  });
  return {
    host,
    upper,
    hostTree,
    upperTree,
    bay: (step) => (step.way === 'copy' ? beside(step, '') : step.kind === 'put' ? upper(step) : keptOf(step)),
    draft: (step) => beside(step, '+'),
    kept: keptOf,
    aside: (step) => ({ directory: aside, name: numberOf(step) }),
  };
}

function treeOf(trees: readonly Tree[], root: number): Tree {
  const tree = trees[root];
  if (tree === undefined) throw new Error(`the plan names root ${root} of ${trees.length}`);
  return tree;
}

function openRecord(path: string): { readonly descriptor: number; close(): void } {
  const descriptor = openAt(atFdcwd, path, { flags: oPath | constants.O_DIRECTORY | constants.O_NOFOLLOW });
  return { descriptor, close: () => closeSync(descriptor) };
}

/**
 * Moves an entry to a free name, or copies it if it cannot be moved. `draft` is a temporary name beside the target for
 * a copy in progress.
 */
export function transfer(
  from: NameAt,
  to: NameAt,
  { draft, copy = copyEntry }: { readonly draft: NameAt; readonly copy?: (from: NameAt, to: NameAt) => void },
): void {
  try {
    return renameAt(from, to, noReplace);
  } catch (error) {
    if (!isKernelError(error, 'EXDEV')) throw error;
  }
  remove(draft);
  copy(from, draft);
  renameAt(draft, to, noReplace);
  remove(from);
}

/** Removes one entry of an open directory, or an empty directory. Does nothing if it is missing. */
export function remove(place: NameAt): void {
  const stats = statAt(place);
  if (stats === undefined) return;
  if (stats.isDirectory()) rmdirSync(pathAt(place));
  else unlinkSync(pathAt(place));
}
