import type { Plan } from '../../plan/types.ts';
import type { ProtectedPath, BackendStart } from '../backend.ts';
import { encodePlan } from './encode-plan.ts';
import { launch } from './launch.ts';

/** Searches for the plan's protected names without a box, as the launcher does at both ends of a run. */
export async function scanProtected(
  plan: Plan,
  options: Pick<BackendStart, 'launcher'> & { readonly seccomp: Uint8Array },
): Promise<readonly ProtectedPath[]> {
  const encodedPlan = encodePlan(plan, { seccomp: options.seccomp, stderr: 'direct' });
  const scan = launch({
    launcher: options.launcher,
    arguments: ['scan'],
    encodedPlan,
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  return (await scan.outcome).protectedBefore;
}
