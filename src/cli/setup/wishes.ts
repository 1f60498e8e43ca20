import type { AgentKey, FoundAgent } from '../../agents/setup/find-agents.ts';
import type { SetupWishes, WantedKey } from './plan-setup.ts';
import { profileNames } from '../../agents/profiles/profiles.ts';
import { HoldfastError } from '../../errors/index.ts';
import { type CommandInput, isSet, optionTexts } from '../command.ts';
import { answerAtTerminal } from '../init.ts';

/** Returns the agents of `--agent`, or all. */
export function wantedAgents({ values }: CommandInput, found: readonly FoundAgent[]): readonly FoundAgent[] {
  const names = optionTexts(values['agent']);
  for (const name of names)
    if (!found.some((agent) => agent.name === name))
      throw usage(`there is no agent ${JSON.stringify(name)} on this machine`, foundText(found));
  const wanted = found.filter(({ name }) => names.length === 0 || names.includes(name));
  if (wanted.length === 0)
    throw usage(
      `no known agent is on this machine: looked for ${profileNames.join(', ')}`,
      'install one, or run any command in a sandbox: holdfast run -- COMMAND',
    );
  return wanted;
}

function foundText(found: readonly FoundAgent[]): string {
  return found.length === 0
    ? 'install it first'
    : `install it, or name one of: ${found.map(({ name }) => name).join(', ')}`;
}

function usage(message: string, remedy: string): HoldfastError {
  return new HoldfastError('HF_USAGE', message, { remedy });
}

/** Returns the choices of the options. */
export function givenWishes({ values }: CommandInput, agents: readonly FoundAgent[]): SetupWishes {
  const keys = agents.flatMap((agent) => agent.keys);
  const named = (option: string, from: WantedKey['from']) =>
    optionTexts(values[option]).map((variable): WantedKey => ({ key: keyOf(variable, keys), from }));
  return {
    agents,
    keys: onePerProvider([...named('key', 'environment'), ...named('keyring', 'keyring')]),
    rules: isSet(values['import']) ? 'import' : 'leave',
    hooks: isSet(values['hooks']) ? 'install' : 'leave',
  };
}

function keyOf(variable: string, keys: readonly AgentKey[]): AgentKey {
  const key = keys.find((each) => each.variable === variable);
  if (key !== undefined) return key;
  throw usage(
    `no chosen agent has a key ${JSON.stringify(variable)}`,
    `use one of: ${[...new Set(keys.map((each) => each.variable))].join(', ')}`,
  );
}

function onePerProvider(keys: readonly WantedKey[]): readonly WantedKey[] {
  return [...new Map(keys.map((each) => [each.key.provider, each])).values()];
}

/** Asks a person about all choices without an option. An empty answer means no. */
export async function askedWishes(input: CommandInput, given: SetupWishes): Promise<SetupWishes> {
  const { values } = input;
  const rules = given.agents.flatMap((agent) => agent.rules);
  const hooked = given.agents.filter(({ hook }) => hook !== undefined);
  return {
    ...given,
    keys: given.keys.length > 0 ? given.keys : await askedKeys(given.agents),
    rules:
      given.rules === 'import' || isSet(values['no-import']) || rules.length === 0
        ? given.rules
        : (await isYes(`import the rules of ${rules.map(({ file }) => file).join(', ')}?`))
          ? 'import'
          : 'leave',
    hooks:
      given.hooks === 'install' || isSet(values['no-hooks']) || hooked.length === 0
        ? given.hooks
        : (await isYes(
              `install hooks in ${hooked.map(({ title }) => title).join(', ')}, for runs outside the sandbox?`,
            ))
          ? 'install'
          : 'leave',
  };
}

async function askedKeys(agents: readonly FoundAgent[]): Promise<readonly WantedKey[]> {
  const keys: WantedKey[] = [];
  for (const { title, keys: all } of agents) {
    const set = all.filter(({ value }) => value === 'set');
    for (const key of set.length > 0 ? set : all.slice(-1)) {
      if (keys.some((each) => each.key.provider === key.provider)) continue;
      const from = await askedSource(title, key);
      if (from !== undefined) keys.push({ key, from });
    }
  }
  return keys;
}

async function askedSource(title: string, { variable, value }: AgentKey): Promise<WantedKey['from'] | undefined> {
  if (value === 'unset')
    return (await isYes(`${title} has no ${variable}: store a key in the keyring, for a phantom in the sandbox?`))
      ? 'keyring'
      : undefined;
  const answer = await answerAtTerminal(
    `${title}: give the sandbox a phantom of ${variable}, read from the environment (e) or copied to the keyring (k)? [e/k/N] `,
  );
  const typed = answer.trim().toLowerCase();
  return typed === 'e' ? 'environment' : typed === 'k' ? 'keyring' : undefined;
}

async function isYes(question: string): Promise<boolean> {
  return /^y(?:es)?$/iu.test((await answerAtTerminal(`${question} [y/N] `)).trim());
}
