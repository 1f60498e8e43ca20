import { encodeBox } from '../backends/launcher/encode-plan.ts';
import type { Plan } from '../plan/types.ts';
import { startBox, type RunningBox, type StartBoxOptions } from './running-box.ts';
import { planBox, type BoxOptions, type Session } from './session.ts';

/**
 * A program that Holdfast itself starts in a box. Where the policy lists the programs that may run it is none of them,
 * and starts none.
 */
export function planOwnCommand(session: Session, command: BoxOptions): Plan {
  const plan = planBox(session, command);
  return { ...plan, landlock: { ...plan.landlock, execution: 'any' } };
}

/** Starts what `planOwnCommand` has planned, which is not the box of the session's commands. */
export function startOwnCommand(session: Session, plan: Plan, options: StartBoxOptions): RunningBox {
  return startBox({ ...session, box: encodeBox(plan) }, plan, options);
}
