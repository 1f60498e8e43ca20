import { randomBytes } from 'node:crypto';
import { fstatSync } from 'node:fs';
import { HoldfastError } from '../../errors/index.ts';
import { exchangeNames, isKernelError, renameAt } from '../../kernel/index.ts';
import { isWhiteout } from '../changes/overlay-marks.ts';
import type { StagedChange, StagedLayer } from '../types.ts';
import { marksAt, metadataAt } from './metadata.ts';
import { changeKey } from './select.ts';
import { ancestorsOf, statIn, type Tree } from './tree.ts';
import { idOf, isDirectoryId, matchesFacts, type AcceptPlan, type AcceptStep, type Touched } from './types.ts';
import { type Sides, unveil } from './unveil.ts';

export interface PlanOptions {
  readonly chosen: readonly StagedChange[];
  readonly conflicts: 'leave' | 'overwrite';
  readonly emptied: boolean;
  /** `copy`: a file system refused a move that looked possible. */
  readonly ways: 'any' | 'copy';
  /** Keys of all conflicting changes of the layer, whether chosen or not. */
  readonly disputed: ReadonlySet<string>;
}

/**
 * Plans an accept from the chosen changes and the current state of both sides. Prepares the layer, without changing its
 * visible content. Throws `HF_STAGED_CONFLICT` if the host has changed since the changes were listed.
 */
export function planAccept(layer: StagedLayer, sides: readonly Sides[], options: PlanOptions): AcceptPlan {
  const parts = layer.roots.map((root, index) => {
    const side = sides[index];
    const chosen = options.chosen.filter((change) => change.root.root === root.root);
    return side === undefined ? { steps: [], touched: [] } : planRoot(chosen, { ...side, root: index, options });
  });
  return {
    layer: { id: layer.id, directory: layer.directory, workspace: layer.workspace, created: layer.created },
    roots: layer.roots.map(({ root }) => root),
    begun: Date.now(),
    nonce: randomBytes(6).toString('hex'),
    emptied: options.emptied,
    steps: parts.flatMap(({ steps }) => steps),
    touched: parts.flatMap(({ touched }) => touched),
  };
}

interface Context extends Sides {
  readonly root: number;
  readonly options: PlanOptions;
}

function planRoot(chosen: readonly StagedChange[], context: Context): Pick<AcceptPlan, 'steps' | 'touched'> {
  prepare(chosen, context);
  const movable = context.options.ways === 'any' && canMove(context);
  const stepContext: StepContext = { ...context, movable, made: new Set() };
  const goes = chosen
    .filter(({ kind }) => kind === 'deleted' || kind === 'renamed')
    .map((change) => takeStep(change, stepContext));
  const comes = chosen.filter(({ after }) => after !== undefined).flatMap((change) => entryStep(change, stepContext));
  // The entries of a directory are taken before it and put after it.
  const steps = [...goes.toSorted((a, b) => Buffer.compare(b.path, a.path)), ...splitLinks(comes)];
  return { steps, touched: touchedBy(chosen, steps, context) };
}

function prepare(chosen: readonly StagedChange[], sides: Sides): void {
  const seen = new Set<string>();
  const once = (path: Buffer, work: () => void): void => {
    const key = path.toString('latin1');
    if (!seen.has(key)) work();
    seen.add(key);
  };
  for (const { path, after } of chosen) {
    for (const ancestor of ancestorsOf(path))
      once(ancestor, () => {
        if (after !== undefined) unveil(sides, ancestor);
      });
    if (after?.type === 'directory') once(path, () => unveil(sides, path));
  }
}

/**
 * Returns whether entries can be moved. Moves between two mounts fail even within one file system. The kernel says so
 * before it looks up the name.
 */
function canMove({ upper, host }: Sides): boolean {
  const name = `.holdfast-${randomBytes(8).toString('hex')}`;
  if (fstatSync(upper.descriptor).dev !== fstatSync(host.descriptor).dev) return false;
  try {
    renameAt({ directory: upper.descriptor, name }, { directory: host.descriptor, name }, exchangeNames);
  } catch (error) {
    return isKernelError(error, 'ENOENT');
  }
  return false;
}

type StepContext = Context & {
  readonly movable: boolean;
  /** Directories that the host does not have yet, so their names need no look-up. */
  readonly made: Set<string>;
};

function isInMade(made: ReadonlySet<string>, path: Buffer): boolean {
  return made.size > 0 && made.has(path.toString('latin1', 0, Math.max(0, path.lastIndexOf(0x2f))));
}

function takeStep(change: StagedChange, { root, host, upper, options, movable }: StepContext): AcceptStep {
  const path = change.from ?? change.path;
  const found = statIn(host, path);
  if (found === undefined) throw changedMeanwhile(change, path);
  const before = idOf(found);
  if (options.conflicts === 'leave' && change.before !== undefined && !matchesFacts(before, change.before))
    throw changedMeanwhile(change, path);
  return {
    kind: 'take',
    root,
    path,
    before,
    way: movable ? 'move' : 'copy',
    whiteout: hasWhiteout(upper, path),
    marks: new Map(),
    disputed: options.disputed.has(changeKey(change, path)),
  };
}

function hasWhiteout(upper: Tree, path: Buffer): boolean {
  const stats = statIn(upper, path);
  return stats !== undefined && isWhiteout(stats, marksAt(upper.place(path), stats));
}

function entryStep(
  change: StagedChange,
  { root, host, upper, options, movable, made }: StepContext,
): readonly (AcceptStep & { readonly links: number })[] {
  const { path } = change;
  const entry = statIn(upper, path);
  if (entry === undefined) throw changedMeanwhile(change, path);
  const found = isInMade(made, path) ? undefined : statIn(host, path);
  const before = found === undefined ? undefined : idOf(found);
  if (options.conflicts === 'leave' && !isExpected(change, before)) throw changedMeanwhile(change, path);
  if (entry.isDirectory() && before !== undefined && isDirectoryId(before)) return [];
  const common = {
    root,
    path,
    disputed: options.disputed.has(changeKey(change, path)),
    whiteout: false,
    links: Number(entry.nlink),
    ...(before === undefined ? {} : { before }),
  };
  if (entry.isDirectory()) made.add(path.toString('latin1'));
  if (entry.isDirectory()) return [{ ...common, kind: 'make', way: 'copy', marks: new Map(), links: 1 }];
  return [
    {
      ...common,
      kind: 'put',
      staged: idOf(entry),
      way: movable ? 'move' : 'copy',
      marks: marksAt(upper.place(path), entry),
    },
  ];
}

function isExpected(change: StagedChange, before: AcceptStep['before']): boolean {
  const expected = change.kind === 'renamed' ? undefined : change.before;
  return expected === undefined || before === undefined ? expected === before : matchesFacts(before, expected);
}

/** Copies a file if some of its names stay in the layer: after a move, later writes to them would reach the host. */
function splitLinks(steps: readonly (AcceptStep & { readonly links: number })[]): readonly AcceptStep[] {
  const names = Map.groupBy(
    steps.filter(({ links }) => links > 1),
    ({ staged }) => staged?.inode,
  );
  return steps.map(({ links, ...step }) =>
    links > 1 && (names.get(step.staged?.inode)?.length ?? 0) < links ? { ...step, way: 'copy' as const } : step,
  );
}

function touchedBy(
  chosen: readonly StagedChange[],
  steps: readonly AcceptStep[],
  { root, host, upper, options }: Context,
): readonly Touched[] {
  const paths = new Map<string, Buffer>();
  for (const { path } of steps) {
    const parent = ancestorsOf(path).at(-1) ?? Buffer.from('.');
    paths.set(parent.toString('latin1'), parent);
  }
  const dressed = chosen.filter(({ after }) => after?.type === 'directory').map(({ path }) => path);
  for (const path of dressed) paths.set(path.toString('latin1'), path);
  const prefix = Buffer.from(chosen[0]?.root.root ?? '').toString('latin1');
  const dresses = new Set(dressed.map((path) => path.toString('latin1')));
  return [...paths].map(([key, path]): Touched => {
    const [old, wanted] = [statIn(host, path), dresses.has(key) ? statIn(upper, path) : undefined];
    return {
      root,
      path,
      disputed: options.disputed.has(`${prefix}/${key}`),
      ...(old?.isDirectory() === true ? { old: metadataAt(host.place(path), old) } : {}),
      ...(wanted?.isDirectory() === true ? { dressed: metadataAt(upper.place(path), wanted) } : {}),
    };
  });
}

function changedMeanwhile(change: Pick<StagedChange, 'root'>, path: Buffer): HoldfastError {
  const name = Buffer.from(changeKey(change, path), 'latin1').toString();
  return new HoldfastError(
    'HF_STAGED_CONFLICT',
    `${JSON.stringify(name)} changed on the host while it was being accepted; nothing was accepted`,
    { remedy: 'look at it with `holdfast review` and accept again', details: { paths: [name] } },
  );
}
