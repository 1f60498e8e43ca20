import type { Verdict } from '../../policy/index.ts';

/** Whether a verdict lets something pass as it is: everything but `allow` and `audit` needs somebody to do something first. */
export function permits({ decision }: Pick<Verdict, 'decision'>): boolean {
  return decision === 'allow' || decision === 'audit';
}
