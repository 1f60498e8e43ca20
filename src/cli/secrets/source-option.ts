import { resolve } from 'node:path';
import { HoldfastError } from '../../errors/index.ts';
import type { CredentialTable } from '../../sandbox/credentials/secrets/credential-table.ts';
import { text, type CommandInput } from '../command.ts';

type SourceTable = NonNullable<CredentialTable['source']>;

interface SourceWords extends Pick<CommandInput, 'values' | 'rest'> {
  /** What stands after `--from`. */
  readonly from: string;
  readonly cwd: string;
}

/** The `source` of a table, from the words of the command line. What is wrong with its parts, the policy room says. */
export function sourceOption(words: SourceWords): SourceTable {
  const { from, values, rest } = words;
  const [, scheme = '', value = ''] = /^([a-z]+)(?::(?!\/\/)(.*))?$/su.exec(from) ?? [];
  const source = from.startsWith('op://') ? { onepassword: from } : sources.get(scheme)?.(value, words);
  // The word itself is not repeated: somebody may have put the secret there.
  if (source === undefined) throw new HoldfastError('HF_USAGE', 'there is no such kind of source after --from', { remedy: `use one of ${[...sources.keys()].join(':, ')}: or op://, as in --from env:GITHUB_TOKEN; a secret itself never stands on a command line` });
  if (rest !== undefined && source.command === undefined) throw new HoldfastError('HF_USAGE', 'only a source of the kind command has a command after --', { remedy: 'use --from command -- COMMAND' });
  return { ...source, ...optional('format', values), ...optional('timeout', values), ...optional('lifetime', values) } as SourceTable;
}

const sources: ReadonlyMap<string, (value: string, words: SourceWords) => SourceTable> = new Map<string, (value: string, words: SourceWords) => SourceTable>([
  ['env', (env) => ({ env })],
  ['file', (file, { cwd }) => ({ file: file === '~' || file.startsWith('~/') ? file : resolve(cwd, file) })],
  ['command', commandSource],
  ['keyring', (keyring) => ({ keyring })],
  ['bw', (bitwarden) => ({ bitwarden })],
  ['vault', (vault) => ({ vault })],
]);

function commandSource(value: string, { rest = [] }: SourceWords): SourceTable {
  if (value === '' && rest.length > 0) return { command: [...rest] };
  throw new HoldfastError('HF_USAGE', 'which command?', { remedy: 'write it after --, as in --from command -- gh auth token' });
}

function optional(key: 'format' | 'timeout' | 'lifetime', values: CommandInput['values']): Readonly<Record<string, string>> {
  const value = text(values[key]);
  return value === undefined ? {} : { [key]: value };
}
