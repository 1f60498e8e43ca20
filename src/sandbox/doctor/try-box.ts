import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LaunchOutcome } from '../../backends/index.ts';
import { HoldfastError, isHoldfastError } from '../../errors/index.ts';
import type { NetworkReach } from '../network/session-network.ts';
import { planOwnCommand, startOwnCommand } from '../own-command.ts';
import type { SessionOptions } from '../place.ts';
import { forgetPlans } from '../remembered-plan.ts';
import { openSession, type RunningBox } from '../session.ts';
import { withEmptyWorkspace } from './empty-workspace.ts';

export type Trial = { readonly kind: 'works'; readonly landlockAbi: number; readonly reach?: NetworkReach } | { readonly kind: 'fails'; readonly reason: string; readonly remedy: string };

/** Milliseconds: a virtual machine without KVM takes its time. */
const patience = 60_000;
/** For what does not end when it is told to. */
const grace = 2000;

/** Starts a box of the default policy in an empty workspace, in which `true` runs. */
export async function tryBox(options: Pick<SessionOptions, 'backend' | 'environment' | 'grants' | 'staged'>): Promise<Trial> {
  try {
    return await withEmptyWorkspace(async (workspace): Promise<Trial> => {
      const session = await openSession({ ...options, cwd: workspace, workspace });
      try {
        const running = startOwnCommand(session, planOwnCommand(session, { argv: ['true'] }), { stdio: ['ignore', 'ignore', 'ignore'], stderr: 'direct' });
        const { landlockAbi } = await inTime(running);
        await whenHeard(running);
        return { kind: 'works', landlockAbi, ...(running.reach === undefined ? {} : { reach: running.reach }) };
      } finally {
        session.approvals.close();
        await session.staging?.close();
        forgetPlans(session.place);
      }
    });
  } catch (error) {
    if (!isHoldfastError(error)) throw error;
    return { kind: 'fails', reason: error.message, remedy: error.remedy };
  }
}

/** What came over its channel may be read after its end was. */
async function whenHeard({ box }: RunningBox): Promise<void> {
  if (box.process.connected) await Promise.race([once(box.process, 'disconnect'), sleep(grace, undefined, { ref: false })]);
}

/** Throws `HF_LAUNCHER_FAILED` for a box in which `true` does not end, or ends otherwise than it does. */
async function inTime({ box, ended }: RunningBox): Promise<LaunchOutcome> {
  let late = false;
  const timers = [setTimeout(() => {
    late = true;
    box.end();
  }, patience), setTimeout(() => box.process.kill('SIGKILL'), patience + grace)];
  try {
    const { exitCode } = await ended;
    if (exitCode !== 0) throw notTrue(late ? `it did not end within ${patience / 1000} s` : `it ended with status ${exitCode}`);
    return await box.outcome;
  } finally {
    for (const timer of timers) clearTimeout(timer);
  }
}

function notTrue(what: string): HoldfastError {
  return new HoldfastError('HF_LAUNCHER_FAILED', `\`true\` was started in a box, and ${what}`, { remedy: 'see what `holdfast run -- true` says with this --backend' });
}
