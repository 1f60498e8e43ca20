import type { Problem } from './document/problem.ts';
import type { Policy } from './policy.ts';

/**
 * Reports valid lines without an effect on a machine that has no Windows registry. Not an error: a policy may serve
 * several systems.
 */
export function inertRules(policy: Policy): readonly Problem[] {
  return policy.layers.flatMap((layer) =>
    layer.uses().flatMap(({ kind, origin: { rule, file, line } }): readonly Problem[] =>
      kind === 'registry'
        ? [
            {
              code: 'HF_POLICY_INVALID',
              file,
              line,
              message: `note: "${rule}" is about the Windows registry, which this machine does not have`,
              remedy:
                'no change is needed: boxes of this machine have no registry; for Windows such rules are generated, not run',
            },
          ]
        : [],
    ),
  );
}
