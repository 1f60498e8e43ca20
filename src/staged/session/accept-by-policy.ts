import { appendEvents } from '../../audit/index.ts';
import { applyLayer, type AcceptOptions, type AcceptReport } from '../apply/accept.ts';
import type { StagedLayer } from '../types.ts';
import type { LayerPaths } from './layer-work.ts';
import { judgeOfLayer } from './protected-names.ts';

/** Accepts like `applyLayer`, by the policy in force, and journals the result. */
export function acceptByPolicy(
  layer: StagedLayer,
  { paths, environment }: LayerPaths,
  options: Pick<AcceptOptions, 'paths' | 'otherwise' | 'conflicts' | 'pace'>,
): AcceptReport {
  const report = applyLayer(layer, { ...options, state: paths.state, judge: judgeOfLayer(layer, environment) });
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
  return report;
}
