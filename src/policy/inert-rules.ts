import type { Problem } from './document/problem.ts';
import type { Policy } from './policy.ts';

/**
 * Lines that hold, and that nothing on a machine without a Windows registry can ever be about. No error: a policy may
 * be for several systems.
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
              message: `note: "${rule}" is about the Windows registry, and there is none here`,
              remedy:
                'nothing is needed: no box of this machine gets at one; on Windows such rules are generated, not run',
            },
          ]
        : [],
    ),
  );
}
