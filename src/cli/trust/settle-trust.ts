import { appendEvents } from '../../audit/index.ts';
import { HoldfastError } from '../../errors/index.ts';
import { isContinuousIntegration } from '../../approvals/session/continuous-integration.ts';
import type { Session } from '../../session/session.ts';
import { withheldNow, type WithheldNow } from '../../session/withheld-now.ts';
import { ownTerminal } from '../approvals/own-terminal.ts';
import { type CommandInput, safeText } from '../command.ts';

/**
 * Asks at the terminal about files that a program of the box would load by itself, before anything runs. Reports the
 * files that are left out. Throws `HF_TRUST_REQUIRED` in CI, where nobody can be asked. Throws `HF_TRUST_REFUSED` for
 * an interrupted question.
 */
export async function settleTrust(
  session: Session,
  withheld: readonly WithheldNow[],
  input: CommandInput,
): Promise<void> {
  if (isContinuousIntegration(input.io.environment)) throw required(withheld);
  if (
    ownTerminal(input) === 'ours' &&
    (await (await import('./ask-at-start.ts')).askAtStart(session, input)) === 'approved'
  )
    await session.gate.load();
  const left = withheldNow(session);
  if (left.length === 0) return;
  const { id, place } = session;
  appendEvents(place.paths.journal, [
    { type: 'trust.withheld', session: id, workspace: place.workspace.root, files: left },
  ]);
  input.io.stderr.write(
    safeText(
      `holdfast: withheld until you approve it: ${named(left)}. Programs load it by themselves; look with \`holdfast trust diff\`, approve with \`holdfast trust add\`\n`,
    ),
  );
}

function required(withheld: readonly WithheldNow[]): HoldfastError {
  return new HoldfastError(
    'HF_TRUST_REQUIRED',
    `unapproved files of this repository that programs load by themselves: ${named(withheld)}`,
    {
      remedy:
        'approve it by hash before the run (`holdfast trust add --help` says how), or by a [[trust]] rule of your policy',
      details: { withheld },
    },
  );
}

const mostNamed = 5;

function named(withheld: readonly WithheldNow[]): string {
  const shown = withheld
    .slice(0, mostNamed)
    .map(({ path, state }) => (state === 'changed' ? `${path} (changed)` : path));
  return withheld.length > mostNamed ? `${shown.join(', ')} and ${withheld.length - mostNamed} more` : shown.join(', ');
}
