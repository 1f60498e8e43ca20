import { join } from 'node:path';
import { watchAccept } from '../../aftermath/traces/accepted-traces.ts';
import { traceLine } from '../../aftermath/traces/traces.ts';
import { appendEvents } from '../../audit/index.ts';
import { applyLayer, type AcceptOptions, type ApplyReport } from '../apply/accept.ts';
import type { StagedChange, StagedLayer } from '../types.ts';
import type { LayerPaths } from './layer-work.ts';
import { judgeOfLayer } from './protected-names.ts';

export interface AcceptReport extends ApplyReport {
  /** One line for each accepted link, FIFO or file of git that acts later, as at the end of a live run. */
  readonly noticed: readonly string[];
}

/** Accepts like `applyLayer`, by the policy in force, and journals the result. */
export function acceptByPolicy(
  layer: StagedLayer,
  { paths, environment }: LayerPaths,
  options: Pick<AcceptOptions, 'paths' | 'otherwise' | 'conflicts' | 'pace'>,
): AcceptReport {
  const traces = watchAccept({ workspace: layer.workspace, roots: layer.roots.map(({ root }) => root) });
  const report = applied(layer, { ...options, state: paths.state, judge: judgeOfLayer(layer, environment) }, traces);
  const noticed = traces(report.accepted.filter(mayAct).map(hostPath)).map(traceLine);
  if (report.accepted.length > 0)
    appendEvents(paths.journal, [
      {
        type: 'staged.accept',
        workspace: layer.workspace,
        layer: layer.id,
        changes: report.accepted.length,
        left: report.left,
      },
    ]);
  return { ...report, noticed };
}

function applied(layer: StagedLayer, options: AcceptOptions, traces: ReturnType<typeof watchAccept>): ApplyReport {
  try {
    return applyLayer(layer, options);
  } catch (error) {
    traces([]);
    throw error;
  }
}

function mayAct({ kind, after }: StagedChange): boolean {
  return kind !== 'metadata' && (after?.type === 'symlink' || after?.type === 'fifo');
}

function hostPath({ root, path }: StagedChange): string {
  return join(root.root, path.toString());
}
