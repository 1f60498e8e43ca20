import { profileNames } from '../../src/agents/profiles/profiles.ts';
import { backendNames } from '../../src/backends/backend.ts';
import { presetNames } from '../../src/policy/builtin/presets/index.ts';
import { providerNames } from '../../src/policy/builtin/providers/index.ts';
import type { IdKind } from '../../src/cli/completion/index.ts';

/** The possible values at a place of the command line. */
export type Values =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  /** From `holdfast completion ids`. */
  | { readonly kind: 'ids'; readonly of: IdKind }
  | { readonly kind: 'file' | 'directory' | 'variable' }
  /** Without proposals. */
  | { readonly kind: 'any' };

/** The values of an option. An option outside the tables gets no proposals. */
export function valueOf(command: string, option: string): Values {
  return optionValues[`${command} --${option}`] ?? optionValues[`--${option}`] ?? { kind: 'any' };
}

/** The values of an operand, by its name in the synopsis. */
export function operandOf(command: string, name: string | undefined): Values {
  if (name === undefined) return { kind: 'any' };
  return operandValues[`${command} ${name}`] ?? operandValues[name] ?? { kind: 'any' };
}

const words = (...list: readonly string[]): Values => ({ kind: 'words', words: list });
const ids = (of: IdKind): Values => ({ kind: 'ids', of });
const file: Values = { kind: 'file' };

const optionValues: Readonly<Record<string, Values>> = {
  '--backend': words('auto', ...backendNames),
  'plan --backend': words('auto', ...backendNames, 'seatbelt', 'windows'),
  '--profile': words(...profileNames),
  'setup --agent': words(...profileNames),
  'setup --key': { kind: 'variable' },
  'setup --keyring': { kind: 'variable' },
  '--preset': words(...presetNames),
  'secrets --provider': words(...providerNames),
  '--workspace': { kind: 'directory' },
  '--env': { kind: 'variable' },
  '--into': ids('layers'),
  '--session': ids('sessions'),
  '--show': words('model', 'person'),
  '--for': words('model', 'person'),
  '--access': words('read', 'write'),
  '--level': words('session', 'always'),
  '--method': words('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'),
  '--by': words('session', 'agent', 'model', 'provider', 'repository', 'day'),
  '--decision': words('allow', 'audit', 'redirect', 'stage', 'ask', 'deny', 'once', 'session', 'always'),
  'audit --format': words('md', 'html', 'jsonl', 'csv'),
  '--read': file,
  '--write': file,
  '--path': file,
  '--socket': file,
  '--output': file,
  '--input-file': file,
  '--headers-file': file,
  '--package': file,
  'trust --from': file,
  '--trusted-root': file,
  '--to': file,
};

const operandValues: Readonly<Record<string, Values>> = {
  AGENT: words(...profileNames),
  PATH: file,
  FILE: file,
  MANIFEST: file,
  SESSION: ids('sessions'),
  'review ID': ids('layers'),
  'accept ID': ids('layers'),
  'discard ID': ids('layers'),
  'undo ID': ids('layers'),
  'checkpoint ID': ids('checkpoints'),
  'trash ID': ids('trash'),
  'approvals ID': ids('approvals'),
  'worktree ID': ids('worktrees'),
};
