import type { StagedChange } from '../types.ts';
import { ancestorsOf } from './tree.ts';

export interface Selection {
  /** Absolute paths on the host, with everything in them. Default: all changes. */
  readonly paths?: readonly Buffer[];
  /** Whether newer entries of the host may be replaced. Undo can bring them back. */
  readonly conflicts: 'leave' | 'overwrite';
}

export interface StagedLeftOut {
  readonly change: StagedChange;
  /** `parent`: the change needs a directory, or is needed by one, that is left out for another reason. */
  readonly reason: 'refused' | 'conflict' | 'parent';
}

export interface Selected {
  readonly chosen: readonly StagedChange[];
  readonly leftOut: readonly StagedLeftOut[];
  /** Changes that were not requested. */
  readonly unasked: number;
  /** Requested paths without a change at or below them. */
  readonly unmatched: readonly Buffer[];
}

/** Splits the changes of a layer into acceptable ones, requested ones that cannot be accepted, and the others. */
export function select(changes: readonly StagedChange[], selection: Selection): Selected {
  const asked =
    selection.paths === undefined ? new Set(changes) : withParents(changes, meantBy(changes, selection.paths));
  const reasons = new Map<StagedChange, StagedLeftOut['reason']>();
  for (const change of asked) {
    if (change.refusal !== undefined) reasons.set(change, 'refused');
    else if (change.conflict !== undefined && selection.conflicts === 'leave') reasons.set(change, 'conflict');
  }
  spread(changes, asked, reasons);
  return {
    chosen: [...asked].filter((change) => !reasons.has(change)),
    leftOut: [...reasons].map(([change, reason]) => ({ change, reason })),
    unasked: changes.length - asked.size,
    unmatched: (selection.paths ?? []).filter((path) => !changes.some((change) => isMeant(change, [path]))),
  };
}

/** Returns the changes at or below absolute paths. A rename counts at both of its paths. */
export function meantBy(changes: readonly StagedChange[], paths: readonly Buffer[]): readonly StagedChange[] {
  return changes.filter((change) => isMeant(change, paths));
}

/** Returns the full path of a change as text in which each character is one byte. */
export function changeKey({ root }: Pick<StagedChange, 'root'>, path: Buffer): string {
  return `${Buffer.from(root.root).toString('latin1')}/${path.toString('latin1')}`;
}

function isMeant(change: StagedChange, paths: readonly Buffer[]): boolean {
  const keys = [change.path, ...(change.from === undefined ? [] : [change.from])].map(
    (path) => `${changeKey(change, path)}/`,
  );
  return paths.some((path) =>
    keys.some((key) => key.startsWith(path.equals(slash) ? '/' : `${path.toString('latin1')}/`)),
  );
}

const slash = Buffer.from('/');

/** A new entry also needs its new parent directories. */
function withParents(changes: readonly StagedChange[], meant: readonly StagedChange[]): ReadonlySet<StagedChange> {
  const directories = new Map(changes.filter(makesDirectory).map((change) => [changeKey(change, change.path), change]));
  const wanted = new Set(meant.flatMap((change) => [...parentsIn(directories, change), change]));
  return new Set(changes.filter((change) => wanted.has(change)));
}

function parentsIn(directories: ReadonlyMap<string, StagedChange>, change: StagedChange): readonly StagedChange[] {
  if (change.after === undefined) return [];
  return ancestorsOf(change.path).flatMap((path) => directories.get(changeKey(change, path)) ?? []);
}

function makesDirectory({ after, before }: StagedChange): boolean {
  return after?.type === 'directory' && before?.type !== 'directory';
}

/**
 * A directory that is removed needs all of its entries removed first, and a new entry needs its directory. So a reason
 * to leave out one leaves out the other.
 */
function spread(
  changes: readonly StagedChange[],
  asked: ReadonlySet<StagedChange>,
  reasons: Map<StagedChange, StagedLeftOut['reason']>,
): void {
  const made = new Map([...asked].filter(makesDirectory).map((change) => [changeKey(change, change.path), change]));
  const removed = new Map(
    [...asked].filter(removesDirectory).map((change) => [changeKey(change, change.path), change]),
  );
  // Repeats until nothing changes: a directory that must stay may block an entry with other hard links.
  for (let size = -1; size !== reasons.size; ) {
    size = reasons.size;
    for (const change of asked)
      if (!reasons.has(change) && parentsIn(made, change).some((parent) => reasons.has(parent)))
        reasons.set(change, 'parent');
    for (const change of changes) {
      if (asked.has(change) && !reasons.has(change)) continue;
      for (const directory of holdersOf(removed, change)) if (!reasons.has(directory)) reasons.set(directory, 'parent');
    }
  }
}

function holdersOf(removed: ReadonlyMap<string, StagedChange>, change: StagedChange): readonly StagedChange[] {
  const gone = change.from ?? (change.kind === 'deleted' ? change.path : undefined);
  return gone === undefined ? [] : ancestorsOf(gone).flatMap((path) => removed.get(changeKey(change, path)) ?? []);
}

function removesDirectory({ after, before }: StagedChange): boolean {
  return before?.type === 'directory' && after?.type !== 'directory';
}
