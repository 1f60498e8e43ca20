import { makeUndo } from '../../agents/init/plan-change.ts';
import { forgetSetup, planSetupUndo, readSetupRecord } from './setup-record.ts';
import { clearSecret } from '../../credentials/session/secrets/user-secrets.ts';
import { HoldfastError } from '../../errors/index.ts';
import type { Place } from '../../place/place.ts';
import { type CommandInput, isSet, printResult, safeText } from '../command.ts';
import { diffOf, isAgreed } from '../init.ts';
import { changeResult } from './show.ts';

/** `holdfast setup --undo`: restores all files, or none. Exits with 1 if the keyring may still hold an entry. */
export async function undoSetup(input: CommandInput, place: Place): Promise<number> {
  const { values, io } = input;
  const { state } = place.paths;
  const record = readSetupRecord(state);
  if (record === undefined)
    throw new HoldfastError('HF_USAGE', 'there is no setup to undo', {
      remedy: 'see `holdfast init --help` for hooks, and `holdfast policy show` for the policy',
    });
  const changes = planSetupUndo(record);
  const result = (outcome: 'shown' | 'put-back') => ({
    changes: changes.map((change) => changeResult(change, outcome)),
    keyring: record.keyring,
  });
  if (!isSet(values['json'])) for (const change of changes) io.stdout.write(safeText(diffOf(change)));
  if (isSet(values['dry-run']) || !(await isAgreed(input))) {
    if (isSet(values['json'])) printResult(input, result('shown'), '');
    return 0;
  }
  const left = await clearAll(input, place, record.keyring);
  for (const change of changes) makeUndo(change);
  forgetSetup(state);
  printResult(input, result('put-back'), changes.map(({ file }) => `${file}: put back\n`).join(''));
  return left === 0 ? 0 : 1;
}

/** Returns how many may be left. Clears them while the policy is still in force. */
async function clearAll({ io }: CommandInput, place: Place, names: readonly string[]): Promise<number> {
  let left = 0;
  for (const name of names) {
    const cleared = await clearSecret({ place, environment: io.environment }, name);
    if (cleared.kind === 'cleared') continue;
    left += 1;
    io.stderr.write(
      safeText(
        `holdfast: the secret of ${name} may still be in the keyring: ${cleared.why}\nholdfast: to fix it: ${cleared.remedy}\n`,
      ),
    );
  }
  return left;
}
