/** `holdfast audit`: what the journal says, and whether it is whole. One file an action; what they do lives in the audit room. */
import { homedir } from 'node:os';
import { HoldfastError } from '../../errors/index.ts';
import { statePaths } from '../../sandbox/host/state-paths.ts';
import type { Command, CommandInput } from '../command.ts';
import { auditOptions, auditUsage } from './usage.ts';

export const auditCommand: Command = {
  name: 'audit',
  summary: 'verify, search, report and export the journal',
  usage: auditUsage,
  options: auditOptions,
  positionals: 'any',
  async run(input) {
    const [name = '', ...words] = input.positionals;
    const action = actions.find((candidate) => candidate.name === name);
    if (action === undefined) throw new HoldfastError('HF_USAGE', `expected ${actions.map((known) => known.name).join(', ')}, got ${JSON.stringify(name)}`, { remedy: 'see `holdfast audit --help`' });
    if (words.length > action.words) throw new HoldfastError('HF_USAGE', `\`audit ${name}\` does not take ${JSON.stringify(words[action.words])}`, { remedy: 'see `holdfast audit --help`' });
    const stray = Object.keys(input.values).find((option) => !action.options.includes(option));
    if (stray !== undefined) throw new HoldfastError('HF_USAGE', `\`audit ${name}\` has no option --${stray}`, { remedy: 'see `holdfast audit --help`' });
    return (await action.load())({ ...input, journal: statePaths(homedir(), input.io.environment).journal, words });
  },
};

export interface AuditInput extends CommandInput {
  readonly journal: string;
  /** What stands behind the action. */
  readonly words: readonly string[];
}

interface Action {
  readonly name: string;
  readonly options: readonly string[];
  /** How many words it takes. */
  readonly words: number;
  /** Only then: `verify` needs no SQLite, `query` no HTTP. */
  readonly load: () => Promise<(input: AuditInput) => number | Promise<number>>;
}

const filters = ['session', 'since', 'until', 'type', 'decision', 'path', 'host', 'text'];

const actions: readonly Action[] = [
  { name: 'verify', options: ['json'], words: 0, load: async () => (await import('./verify.ts')).verify },
  { name: 'tail', options: [...filters, 'follow', 'limit', 'json'], words: 0, load: async () => (await import('./tail.ts')).tail },
  { name: 'query', options: [...filters, 'limit', 'json'], words: 0, load: async () => (await import('./query.ts')).query },
  { name: 'report', options: ['last', 'format', 'output', 'json'], words: 1, load: async () => (await import('./report.ts')).report },
  { name: 'export', options: [...filters, 'format', 'output', 'otlp', 'header', 'headers-file', 'timeout', 'json'], words: 0, load: async () => (await import('./export.ts')).exportEntries },
  { name: 'repair', options: ['json'], words: 0, load: async () => (await import('./repair.ts')).repair },
  { name: 'show', options: ['json'], words: 0, load: async () => (await import('./show.ts')).show },
];
