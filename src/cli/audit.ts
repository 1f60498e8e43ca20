import { homedir } from 'node:os';
import { readEvents, verifyJournal } from '../audit/index.ts';
import { HoldfastError } from '../errors/index.ts';
import { statePaths } from '../sandbox/host/state-paths.ts';
import { isSet, type Command, type CommandInput } from './command.ts';

const usage = `usage: holdfast audit verify | show [--json]

verify: walks the journal's hash chain and names every line that was changed, cut, added or moved; exits with 1 then.
show:   prints the journal, one event a line.`;

export const auditCommand: Command = {
  name: 'audit',
  summary: 'verify and read the journal',
  usage,
  options: { json: { type: 'boolean' } },
  positionals: 'any',
  async run(input) {
    const action = actions.get(input.positionals[0] ?? '');
    if (action === undefined || input.positionals.length > 1) throw new HoldfastError('HF_USAGE', `expected verify or show, got ${JSON.stringify(input.positionals.join(' '))}`, { remedy: 'see `holdfast audit --help`' });
    return action(input, statePaths(homedir(), input.io.environment).journal);
  },
};

const actions: ReadonlyMap<string, (input: CommandInput, journal: string) => number> = new Map([
  ['verify', verify],
  ['show', show],
]);

function verify({ io, values }: CommandInput, journal: string): number {
  const report = verifyJournal(journal);
  const lines = report.problems.map((problem) => `${journal}:${problem.line}: ${problem.message}\n`);
  if (isSet(values['json'])) io.stdout.write(`${JSON.stringify({ journal, ...report })}\n`);
  else io.stdout.write(lines.length === 0 ? `${journal}: ${report.entries} entries, the chain is whole\n` : lines.join(''));
  return report.problems.length === 0 ? 0 : 1;
}

function show({ io }: CommandInput, journal: string): number {
  for (const event of readEvents(journal)) io.stdout.write(`${JSON.stringify(event)}\n`);
  return 0;
}
