import { makeInstall } from '../../agents/init/plan-change.ts';
import type { SetupPlan, SetupWishes, WantedKey } from './plan-setup.ts';
import { keepSetup } from './setup-record.ts';
import { storeSecret } from '../../credentials/session/secrets/user-secrets.ts';
import type { Place } from '../../place/place.ts';
import { isBroken } from '../../sandbox/doctor/prove.ts';
import { type CommandInput, isSet, printResult, safeText } from '../command.ts';
import { examineHere } from '../doctor.ts';
import { hookNotes } from '../init.ts';
import { readSecret } from '../secrets/add.ts';
import { nextCommand, proofSummary, proofText, type ProofSummary, resultOf } from './show.ts';

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
