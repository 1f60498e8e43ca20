import type { PlanNotes } from '../plan/describe-notes.ts';
import { buildEnvironment } from '../policy/settings/build-environment.ts';
import type { Session } from '../sandbox/session.ts';

/** What a session keeps out of its boxes, and what it holds by words alone. The policy is read only where it speaks of commands. */
export async function planNotes({ place, plan, environment: host }: Session): Promise<PlanNotes> {
  const { dropped, untrustedPath, acknowledged } = buildEnvironment(plan.environment, host);
  const environment = { dropped, untrustedPath, acknowledged };
  if (plan.commands === 'open') return { environment, commands: [], others: 'any' };
  const { policyOfPlace } = await import('../sandbox/planner.ts');
  const { layers } = policyOfPlace(place);
  return { environment, commands: layers.flatMap((layer) => layer.commands()), others: layers.some(({ limitsCommands }) => limitsCommands) ? 'listed' : 'any' };
}
