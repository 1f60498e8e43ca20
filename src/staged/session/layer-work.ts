import { appendEvents } from '../../audit/index.ts';
import { dropLayer, type DiscardReport } from '../apply/discard.ts';
import type { Pace } from '../apply/scene.ts';
import { undoLayer, type UndoReport } from '../apply/undo.ts';
import type { StagedLayer } from '../types.ts';
import type { StatePaths } from '../../place/host/state-paths.ts';

/** Directories of the state and of the policy. */
export interface LayerPaths {
  readonly paths: Pick<StatePaths, 'state' | 'journal'>;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** `only`: absolute paths on the host. Undefined for the whole layer. */
export function discardJournalled(
  layer: StagedLayer,
  { paths }: LayerPaths,
  only: readonly Buffer[] | undefined,
): DiscardReport {
  const report = dropLayer(layer, { state: paths.state, ...(only === undefined ? {} : { paths: only }) });
  const { removed, discarded } = report;
  appendEvents(paths.journal, [
    {
      type: 'staged.discard',
      workspace: layer.workspace,
      layer: layer.id,
      removed,
      ...(discarded === undefined ? {} : { changes: discarded.length }),
    },
  ]);
  return report;
}

export interface Undo {
  readonly workspace: string;
  /** Undoes only an accept of this layer. */
  readonly layer?: string;
  readonly pace?: Pace;
}

export function undoJournalled({ paths }: LayerPaths, { workspace, layer, pace }: Undo): UndoReport {
  const report = undoLayer({
    state: paths.state,
    workspace,
    ...(pace === undefined ? {} : { pace }),
    ...(layer === undefined ? {} : { layer }),
  });
  appendEvents(paths.journal, [
    { type: 'staged.undo', workspace, layer: report.record.layer, entries: report.record.entries },
  ]);
  return report;
}
