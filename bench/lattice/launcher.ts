import { isHoldfastError } from '../../src/errors/index.ts';
import { openSession, planBox } from '../../src/session/session.ts';
import { absent, type Contestant, runner } from '../lib/contestant.ts';
import type { Scratch } from '../lib/scratch.ts';

export const launcherAlone = 'the launcher alone, landlock';

/**
 * The kernel's part of the cost: the box that Landlock and seccomp make, without the supervisor that answers its calls.
 * From the launcher's start to its last report, as a session sees it.
 */
export async function landlockLauncher({ workspace, environment }: Scratch): Promise<Contestant> {
  try {
    const session = await openSession({ cwd: workspace, workspace, environment, backend: 'landlock' });
    const { launcher } = session.place.installation;
    const plan = { ...planBox(session, { argv: ['true'] }), notify: { kind: 'none' } } as const;
    const run = async (): Promise<void> => {
      const { exitCode, failure } = await session.backend.start(plan, {
        launcher,
        stdio: ['ignore', 'ignore', 'ignore'],
        stderr: 'direct',
      }).outcome;
      if (exitCode !== 0 || failure !== undefined) throw new Error(`${failure?.stage ?? 'true'}: exit ${exitCode}`);
    };
    await run();
    return runner(launcherAlone, run);
  } catch (error) {
    if (isHoldfastError(error)) return absent(launcherAlone, `${error.message} (${error.remedy})`);
    throw error;
  }
}
