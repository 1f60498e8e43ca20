import { release } from 'node:os';
import type { Plan } from '../../plan/index.ts';
import type { Backend, LaunchedBox, StartOptions } from '../backend.ts';
import { encodePlan, launch } from '../launcher/index.ts';
import { notifyFor, plainFor, seccompFor } from '../seccomp.ts';
import { promisedAbi } from './abi.ts';
import { adaptToLandlock } from './adapt.ts';
import { landlockGuarantees } from './guarantees.ts';
import { landlockPresence } from './presence.ts';

export const landlockBackend: Backend = {
  name: 'landlock',
  warm: 'possible',
  guarantees: (facts) => landlockGuarantees(facts, promisedAbi(release())),
  presence: landlockPresence,
  adapt: (plan, box) => adaptToLandlock(plan, { ...box, abi: promisedAbi(release()) }),
  start,
};

/** `StartOptions.box` is of a plan with mounts; an open network has no listeners of the launcher. */
function start(plan: Plan, { launcher, stdio, stderr, command = 'now', terminal = 'callers', listener, known }: StartOptions): LaunchedBox {
  const encodedPlan = encodePlan(plan, { seccomp: seccompFor(plan), plain: plainFor(plan), notify: notifyFor(plan), stderr, command });
  return launch({ launcher, arguments: [], encodedPlan, stdio, terminal, ...(listener === undefined ? {} : { listener }), ...(known === undefined ? {} : { known }) });
}
