import { realpathSync } from 'node:fs';
import { keyringService } from '../../credentials/session/secrets/user-secrets.ts';
import { withTable, tableText } from '../../credentials/session/secrets/user-policy.ts';
import { isHoldfastError } from '../../errors/index.ts';
import type { Place } from '../../place/place.ts';
import { policyOfPlace } from '../../place/planner.ts';
import { readPolicyText } from '../../place/policy-texts.ts';
import type { CredentialTable } from '../../policy/credentials/schema.ts';
import { type ImportedFile, importTogether } from '../../agents/import/import-policy.ts';
import type { Item, NotCarried } from '../../agents/import/types.ts';
import { type InitOptions, planFile, planInstall, type SettingsChange } from '../../agents/init/plan-change.ts';
import type { AgentKey, FoundAgent, RuleFile } from '../../agents/setup/find-agents.ts';

/** A person's choices for the agents of this machine. */
export interface SetupWishes {
  readonly agents: readonly FoundAgent[];
  readonly keys: readonly WantedKey[];
  readonly rules: 'import' | 'leave';
  readonly hooks: 'install' | 'leave';
}

export interface WantedKey {
  readonly key: AgentKey;
  /** Source of the boxes' keys from then on. */
  readonly from: 'environment' | 'keyring';
}

/** All planned changes of files. */
export interface SetupPlan {
  readonly policy: SettingsChange;
  readonly hooks: readonly SettingsChange[];
  readonly keys: readonly WantedKey[];
  /** Differences between the policy and the agents' settings. */
  readonly notCarried: readonly NotCarried[];
  readonly notImported: readonly { readonly file: string; readonly message: string }[];
}

/** Throws `HF_POLICY_INVALID` if the policy would be invalid, and `HF_AGENT_SETTINGS` for broken settings. */
export function planSetup(wishes: SetupWishes, place: Place, init: Omit<InitOptions, 'agent'>): SetupPlan {
  const { files, notImported } = wishes.rules === 'import' ? readable(wishes.agents, place) : nothing;
  const places = { home: place.home, workspace: place.workspace.root };
  const title = [head, ...wishes.agents.map(({ title: agent, name }) => `${agent}: holdfast run ${name}`)].join('\n# ');
  const hosts = wishes.keys.map(({ key }): Item => ({ place: 'network.hosts', text: key.host, from: key.variable }));
  const together = (items: readonly Item[]) => importTogether(files, { title, places, items });
  const imported = together(hosts);
  const { policy, notCarried } = judgesCommands(imported.policy)
    ? together([...hosts, ...wishes.agents.flatMap(ownProgram)])
    : imported;
  const text = wishes.keys.reduce(withKey, policy);
  const managed = place.sources.filter(({ kind }) => kind === 'managed');
  policyOfPlace({ ...place, sources: [...managed, { kind: 'user', file: place.paths.userPolicy, text }] });
  return {
    policy: planFile(place.paths.userPolicy, text, init.state),
    hooks: wishes.hooks === 'install' ? hooksOf(wishes.agents, init) : [],
    keys: wishes.keys,
    notCarried,
    notImported,
  };
}

const head =
  'Written by `holdfast setup`: the rights of boxes, besides the defaults. Edit it; `holdfast policy check` checks it.';

const nothing = { files: [], notImported: [] } as const;

function hooksOf(agents: readonly FoundAgent[], init: Omit<InitOptions, 'agent'>): readonly SettingsChange[] {
  return agents
    .flatMap(({ hook }) => (hook === undefined ? [] : [planInstall({ ...init, agent: hook })]))
    .filter(({ before, after }) => before !== after);
}

/**
 * With rules about commands, a program from outside the system must be named in the policy, or Holdfast asks about it.
 */
function judgesCommands(policy: string): boolean {
  return /^(?:\[commands\]|\[\[exec\]\])$/mu.test(policy);
}

/**
 * Returns the typed name, and the file that it leads to. If the path has special characters of patterns, Holdfast asks
 * about it instead.
 */
function ownProgram({ name, program }: FoundAgent): readonly Item[] {
  if (program === undefined) return [];
  return [...new Set([program, realpathSync.native(program)])]
    .filter((path) => /^[\w./@+-]+$/u.test(path))
    .map((text) => ({ place: 'rule.allow-programs', text, from: `holdfast run ${name}` }));
}

/** A faulty file is left out as a whole, and reported. */
function readable(agents: readonly FoundAgent[], place: Place) {
  const files: ImportedFile[] = [];
  const notImported: { file: string; message: string }[] = [];
  for (const rule of agents.flatMap(({ rules }) => rules)) {
    try {
      files.push(readRule(rule, place));
    } catch (error) {
      if (!isHoldfastError(error)) throw error;
      notImported.push({ file: rule.file, message: error.message });
    }
  }
  return { files, notImported };
}

function readRule({ source, file }: RuleFile, { home, workspace }: Place): ImportedFile {
  const text = readPolicyText('user', file)?.text ?? '';
  const name = file.startsWith(`${home}/`) ? `~${file.slice(home.length)}` : file;
  const imported = { source, name, text };
  importTogether([imported], { title: name, places: { home, workspace: workspace.root } });
  return imported;
}

function withKey(policy: string, { key, from }: WantedKey): string {
  const table: CredentialTable = {
    name: key.provider,
    provider: key.provider as NonNullable<CredentialTable['provider']>,
    source: from === 'environment' ? { env: key.variable } : { keyring: `${keyringService}/${key.provider}` },
  };
  return withTable(
    policy,
    `# Boxes get a phantom of it as ${key.variable}, which works at ${key.host} only.\n${tableText(table)}`,
  );
}
