import { join } from 'node:path';
import { decide } from '../../policy/decide.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Verdict } from '../../policy/verdict.ts';
import type { FoundFile, TrustStatus } from '../types.ts';

/**
 * `refused`: a rule refuses the file despite any approval. `approved`: a rule or a person approved it. `unanswered`:
 * neither did.
 */
export type TrustAnswer =
  | { readonly kind: 'approved'; readonly by: 'person' }
  | { readonly kind: 'approved'; readonly by: 'policy'; readonly verdict: Verdict }
  | { readonly kind: 'refused'; readonly verdict: Verdict }
  | { readonly kind: 'unanswered'; readonly verdict: Verdict };

/**
 * Combines the policy's answer and a person's. No other place does. Pure.
 *
 * A deny rule wins over every approval. An allow rule approves these bytes, or any bytes if it names no hash. It covers
 * the file alone: a script that the file names, and that nobody approved, leaves the file unanswered.
 */
export function trustAnswer(
  policy: Policy,
  root: string,
  { state, found }: TrustStatus & { readonly found: FoundFile },
): TrustAnswer {
  const verdict = decide(policy, { kind: 'trust', path: join(root, found.path), sha256: found.sha256 });
  switch (verdict.decision) {
    case 'deny':
    case 'redirect':
    case 'stage':
      return { kind: 'refused', verdict };
    case 'allow':
    case 'audit':
      return state !== 'approved' && found.scripts.length > 0
        ? { kind: 'unanswered', verdict }
        : { kind: 'approved', by: 'policy', verdict };
    case 'ask':
      return state === 'approved' ? { kind: 'approved', by: 'person' } : { kind: 'unanswered', verdict };
  }
}
