import { features } from '../features/index.ts';
import type { LayerKind } from '../verdict.ts';
import type { DocumentFinding } from './problem.ts';
import type { PolicyValue } from './types.ts';

/** Reports statements that a layer may not make. */
export function placeFindings(value: PolicyValue, kind: LayerKind): readonly DocumentFinding[] {
  return [
    ...(kind === 'required'
      ? [
          {
            at: '',
            message: 'the required layer is built in',
            remedy: 'use the document as managed, user, project or session policy',
          },
        ]
      : []),
    ...features.flatMap((feature) => ('placed' in feature ? feature.placed(value, kind) : [])),
  ];
}
