import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { agentNames, type AgentName } from '../hooks/types.ts';
import type { ImportSource } from '../import/import-policy.ts';
import { programOnPath } from '../profiles/agent-program.ts';
import { type ProfileCredential, type ProfileName, profileNames, profiles } from '../profiles/profiles.ts';

/** An agent of this machine, and its parts. */
export interface FoundAgent {
  readonly name: ProfileName;
  readonly title: string;
  /** Path of the program, from the search path. */
  readonly program: string | undefined;
  /** Its directory of settings. */
  readonly settings: string | undefined;
  /** Files with its permissions. */
  readonly rules: readonly RuleFile[];
  /** Undefined if Holdfast has no hook for it. */
  readonly hook: AgentName | undefined;
  readonly keys: readonly AgentKey[];
}

export interface RuleFile {
  readonly source: ImportSource;
  readonly file: string;
}

export interface AgentKey extends ProfileCredential {
  readonly value: 'set' | 'unset';
}

export interface AgentsPlace {
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Returns every agent that is on the search path or has settings here, in the order of the profiles. */
export function findAgents(place: AgentsPlace): readonly FoundAgent[] {
  return profileNames
    .map((name) => lookAt(name, place))
    .filter(({ program, settings }) => program !== undefined || settings !== undefined);
}

function lookAt(name: ProfileName, { home, environment }: AgentsPlace): FoundAgent {
  const hook = agentNames.find((each) => each === name);
  const directory = hook === undefined ? undefined : settingsDirectories[hook](home, environment);
  const settings = directory !== undefined && isThere(directory) ? directory : undefined;
  return {
    name,
    title: profiles[name].title,
    program: programOnPath(name, environment['PATH'] ?? ''),
    settings,
    rules:
      hook === undefined || settings === undefined ? [] : ruleFiles[hook](settings).filter(({ file }) => isThere(file)),
    hook,
    keys: profiles[name].credentials.map((key) => ({
      ...key,
      value: (environment[key.variable] ?? '') === '' ? 'unset' : 'set',
    })),
  };
}

type Directory = (home: string, environment: AgentsPlace['environment']) => string;

const settingsDirectories: Readonly<Record<AgentName, Directory>> = {
  claude: (home, { CLAUDE_CONFIG_DIR }) => CLAUDE_CONFIG_DIR || join(home, '.claude'),
  codex: (home, { CODEX_HOME }) => CODEX_HOME || join(home, '.codex'),
  gemini: (home, { GEMINI_CLI_HOME }) => join(GEMINI_CLI_HOME || home, '.gemini'),
  opencode: (home, { XDG_CONFIG_HOME }) => join(XDG_CONFIG_HOME || join(home, '.config'), 'opencode'),
};

const ruleFiles: Readonly<Record<AgentName, (settings: string) => readonly RuleFile[]>> = {
  claude: (settings) => [{ source: 'claude', file: join(settings, 'settings.json') }],
  codex: (settings) => filesIn(join(settings, 'rules'), '.rules', 'codex'),
  gemini: (settings) => filesIn(join(settings, 'policies'), '.toml', 'gemini'),
  opencode: () => [],
};

function filesIn(directory: string, ending: string, source: ImportSource): readonly RuleFile[] {
  try {
    return readdirSync(directory)
      .filter((name) => name.endsWith(ending))
      .toSorted()
      .map((name) => ({ source, file: join(directory, name) }));
  } catch {
    return [];
  }
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
