import { makeInstall, makeUndo } from '../../agents/init/plan-change.ts';
import { HoldfastError } from '../../errors/index.ts';
import type { SetupPlan, SetupWishes, WantedKey } from './plan-setup.ts';
import { keepSetup, forgetSetup, planSetupUndo, readSetupRecord } from './setup-record.ts';
import { storeSecret, clearSecret } from '../../credentials/session/secrets/user-secrets.ts';
import type { Place } from '../../place/place.ts';
import { isBroken } from '../../sandbox/doctor/prove.ts';
import { type CommandInput, isSet, printResult, safeText } from '../command.ts';
import { examineHere } from '../doctor.ts';
import { hookNotes, diffOf, isAgreed } from '../init.ts';
import { readSecret } from '../secrets/add.ts';
import { nextCommand, proofSummary, proofText, type ProofSummary, resultOf, changeResult } from './show.ts';

export interface SetupAt {
  readonly place: Place;
}

interface Agreed extends SetupAt {
  readonly wishes: SetupWishes;
  readonly plan: SetupPlan;
}

/** Makes the confirmed changes. Exits with 1 if the sandbox does not hold its guarantees. */
export async function applySetup(input: CommandInput, { wishes, plan, place }: Agreed): Promise<number> {
  const { values, io } = input;
  const json = isSet(values['json']);
  const changes = [plan.policy, ...plan.hooks].filter(({ before, after }) => before !== after);
  const kept = plan.keys.filter(({ from }) => from === 'keyring');
  keepSetup(
    place.paths.state,
    changes,
    kept.map(({ key }) => key.provider),
  );
  for (const key of kept) await store(input, place, key);
  for (const change of changes) makeInstall(change);
  if (!json) {
    for (const { file } of changes) io.stdout.write(safeText(`${file}: written\n`));
    if (plan.hooks.length > 0)
      for (const { hook } of wishes.agents) io.stdout.write(hook === undefined ? '' : hookNotes[hook]);
  }
  const proof = isSet(values['no-prove']) ? undefined : await proofOf(input);
  const ending = `next: ${nextCommand(wishes)}\n(\`holdfast setup --undo\` puts back every file as it was)\n`;
  printResult(
    input,
    resultOf({ wishes, plan, outcome: 'written', proof }),
    `${proof === undefined ? '' : proofText(proof)}${ending}`,
  );
  return proof?.verdict === 'fails' ? 1 : 0;
}

async function store({ io }: CommandInput, place: Place, { key }: WantedKey): Promise<void> {
  const secret = io.environment[key.variable] || (await readSecret(key.variable, io));
  await storeSecret({ place, environment: io.environment }, key.provider, secret);
}

async function proofOf(input: CommandInput): Promise<ProofSummary> {
  const { proofs, verdict } = await examineHere({ ...input, values: { ...input.values, prove: true } });
  return proofSummary(proofs, verdict, isBroken);
}

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
