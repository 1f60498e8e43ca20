import { encodeBox } from '../backends/launcher/encode-plan.ts';
import type { Plan } from '../plan/types.ts';
import { startBox, type RunningBox, type StartBoxOptions } from './running-box.ts';
import { planBox, type BoxOptions, type Session } from './session.ts';

/**
 * Plans a program that Holdfast itself starts in a box. It need not be on the policy's list of programs that may run.
 * It must not start other programs, because this plan would allow that.
 */
export function planOwnCommand(session: Session, command: BoxOptions): Plan {
  const plan = planBox(session, command);
  return { ...plan, landlock: { ...plan.landlock, execution: 'any' } };
}

/** Starts a command that `planOwnCommand` has planned. It does not use the spare box of the session's commands. */
export function startOwnCommand(session: Session, plan: Plan, options: StartBoxOptions): RunningBox {
  return startBox({ ...session, box: encodeBox(plan) }, plan, options);
}
