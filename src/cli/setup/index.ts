import { mkdtempSync, rmdirSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { findAgents, type FoundAgent } from '../../agents/setup/find-agents.ts';
import { planSetup, type SetupPlan, type SetupWishes } from './plan-setup.ts';
import { HoldfastError, isHoldfastError } from '../../errors/index.ts';
import { type Place, readPlace } from '../../place/place.ts';
import { type Command, type CommandInput, isSet, printResult, safeText } from '../command.ts';
import { hookProgram, isAgreed } from '../init.ts';
import { applySetup, type SetupAt, undoSetup } from './apply.ts';
import { planText, resultOf } from './show.ts';
import { askedWishes, givenWishes, wantedAgents } from './wishes.ts';

const usage = `usage: holdfast setup [OPTIONS] [--dry-run | --yes] [--json]
       holdfast setup --undo [--dry-run | --yes] [--json]

Finds the agents on this machine, writes your policy file for them, and proves that the sandbox holds. Shows every
change and asks before it makes one. At a terminal it asks about options that you leave out; elsewhere, they mean no.

  --agent NAME        only this agent                                                      (repeatable)
  --key VARIABLE      give boxes a phantom of this key, read from the environment          (repeatable)
  --keyring VARIABLE  the same, with the key stored in the keyring now: taken from the environment, or asked for (repeatable)
  --import            carry over the permissions in the settings of the agents
  --no-import         do not carry them over, and do not ask
  --hooks             install hooks in your settings of the agents, for runs outside the sandbox
  --no-hooks          install no hooks, and do not ask
  --replace           replace a policy file that is there already
  --no-prove          do not run the escape attempts of \`holdfast doctor --prove\`
  --dry-run           only show the changes
  --yes               do not ask
  --undo              put back every file as it was before; refuses where one has changed since
  --json              with --dry-run or --yes: print the findings, each file with its change, and the next command`;

export const setupCommand: Command = {
  name: 'setup',
  usage,
  options: {
    agent: { type: 'string', multiple: true },
    key: { type: 'string', multiple: true },
    keyring: { type: 'string', multiple: true },
    import: { type: 'boolean' },
    'no-import': { type: 'boolean' },
    hooks: { type: 'boolean' },
    'no-hooks': { type: 'boolean' },
    replace: { type: 'boolean' },
    'no-prove': { type: 'boolean' },
    'dry-run': { type: 'boolean' },
    yes: { type: 'boolean' },
    undo: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  positionals: 'none',
  run: setUp,
};

async function setUp(input: CommandInput): Promise<number> {
  const { values } = input;
  if (isSet(values['json']) && !isSet(values['dry-run']) && !isSet(values['yes']))
    throw new HoldfastError('HF_USAGE', '--json cannot ask for confirmation', { remedy: 'add --dry-run or --yes' });
  return withPlace(input, (place) => (isSet(values['undo']) ? undoSetup(input, place) : settle(input, place)));
}

/**
 * A user's policy is for every workspace, and beginners run this in their home, which is no workspace. An empty
 * directory then takes its place.
 */
async function withPlace(
  { io: { cwd, environment } }: CommandInput,
  work: (place: Place) => Promise<number>,
): Promise<number> {
  const empty = mkdtempSync(join(tmpdir(), 'holdfast-setup-'));
  try {
    return await work(placeAt(cwd, environment) ?? readPlace({ cwd: empty, environment }));
  } finally {
    rmdirSync(empty);
  }
}

function placeAt(cwd: string, environment: CommandInput['io']['environment']): Place | undefined {
  try {
    return readPlace({ cwd, environment });
  } catch (error) {
    if (isHoldfastError(error) && error.code === 'HF_WORKSPACE_UNSAFE') return undefined;
    throw error;
  }
}

async function settle(input: CommandInput, place: Place): Promise<number> {
  const { values, io } = input;
  const agents = wantedAgents(input, findAgents({ home: homedir(), environment: io.environment }));
  if (!isSet(values['json'])) io.stdout.write(safeText(agents.map(agentText).join('')));
  const wishes = await wishesOf(input, agents);
  const plan = planSetup(wishes, place, {
    scope: 'user',
    home: place.home,
    workspace: place.workspace.root,
    environment: io.environment,
    program: hookProgram(),
    state: place.paths.state,
  });
  return agreeAndApply(input, { wishes, plan, place });
}

function agentText({ title, program, settings, keys, hook }: FoundAgent): string {
  const set = keys.filter(({ value }) => value === 'set').map(({ variable }) => variable);
  const parts = [
    program ?? 'not on the PATH',
    ...(settings === undefined ? [] : [`settings in ${settings}`]),
    set.length === 0 ? 'no key in the environment' : `key ${set.join(' and ')} in the environment`,
    ...(hook === undefined ? ['no hook'] : []),
  ];
  return `found ${title}: ${parts.join(', ')}\n`;
}

function wishesOf(input: CommandInput, agents: readonly FoundAgent[]): Promise<SetupWishes> | SetupWishes {
  const given = givenWishes(input, agents);
  return isAttended(input) ? askedWishes(input, given) : given;
}

function isAttended({ values }: CommandInput): boolean {
  return process.stdin.isTTY && !isSet(values['yes']) && !isSet(values['dry-run']);
}

interface Settled extends SetupAt {
  readonly wishes: SetupWishes;
  readonly plan: SetupPlan;
}

async function agreeAndApply(input: CommandInput, { wishes, plan, place }: Settled): Promise<number> {
  const { values, io } = input;
  const json = isSet(values['json']);
  if (!json) io.stdout.write(safeText(planText(wishes, plan)));
  if (isSet(values['dry-run'])) {
    if (json) printResult(input, resultOf({ wishes, plan, outcome: 'shown' }), '');
    return 0;
  }
  if (!isAttended(input)) refuseUnseen(input, plan);
  if (!(await isAgreed(input))) return 0;
  return applySetup(input, { wishes, plan, place });
}

/** Refuses changes that a person has not seen. At a terminal they were shown, and the question is about them. */
function refuseUnseen({ values }: CommandInput, { policy: { file, before, after }, notImported }: SetupPlan): void {
  const [broken] = notImported;
  if (broken !== undefined)
    throw new HoldfastError('HF_POLICY_INVALID', `${broken.file} cannot be imported: ${broken.message}`, {
      remedy: 'correct that file, or leave --import out and copy its rules by hand; nothing was changed',
    });
  if (before !== undefined && before !== after && !isSet(values['replace']))
    throw new HoldfastError('HF_USAGE', `${file} already exists with other content; nothing was changed`, {
      remedy: 'read the difference, then add --replace; `holdfast setup --undo` restores the old file',
    });
}
