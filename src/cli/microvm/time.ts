import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { timeStart } from '../../backends/microvm/time-start.ts';
import { openSession, planCommand } from '../../sandbox/session.ts';
import { isSet, type CommandInput } from '../command.ts';
import { jsonText } from '../json-text.ts';

/** How long `true` takes to begin in a microVM here, by the clock of the guest, and as a whole. */
export async function time({ io, values }: CommandInput): Promise<number> {
  const workspace = mkdtempSync(join(tmpdir(), 'holdfast-time-'));
  try {
    const session = await openSession({ cwd: workspace, workspace, environment: io.environment, backend: 'microvm' });
    const times = await timeStart(planCommand(session, { argv: ['true'] }), session.place.installation.launcher);
    if (isSet(values['json'])) io.stdout.write(jsonText(times));
    else io.stdout.write(`from the guest's kernel to the command: ${times.guest.toFixed(0)} ms\nfrom the launcher to the end of the box: ${times.whole.toFixed(0)} ms\n`);
    return 0;
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
}
