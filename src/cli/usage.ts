import { homedir } from 'node:os';
import process from 'node:process';
import { HoldfastError } from '../errors/index.ts';
import { type Dimension, summarise, usageCsv, usageJson, usageTable } from '../llm/index.ts';
import { statePaths } from '../place/host/state-paths.ts';
import { readModelCalls } from '../llm/session/read-calls.ts';
import { escapeJson } from '../text/escape-json.ts';
import { filterOf } from './audit/input.ts';
import { isSet, optionTexts, type Command, type CommandInput } from './command.ts';

const usage = `usage: holdfast usage [--by NAME[,NAME…]] [--since TIME] [--json | --csv]

What calls of language models came to: how many, tokens of every class, and US dollars. Counted wherever a box may reach a server of models that is
known, or that [[llm.servers]] names.

  --by NAMES    session, agent, model, provider, repository, day; default: provider,model
  --since TIME  2h or 30d ago, or 2026-01-31, or 2026-01-31T12:00 (UTC, or with an offset); default: the first of this month
  --json        as JSON; a cost that is not known is null, \`unread\` counts lines of the journal that could not be read
  --csv         for spreadsheets; a cost that is not known is an empty cell

Days and months are UTC. A cost that is not known is ?, and "12.35 + ?" where that of some calls is; it is never counted as 0.
Calls that Holdfast refused are not counted: see \`holdfast llm log --refused\`.`;

export const usageCommand: Command = {
  name: 'usage',
  usage,
  options: {
    by: { type: 'string', multiple: true },
    since: { type: 'string' },
    json: { type: 'boolean' },
    csv: { type: 'boolean' },
  },
  positionals: 'none',
  run: (input) => Promise.resolve(tell(input)),
};

function tell(input: CommandInput): number {
  const { values, io } = input;
  const by = dimensionsOf(optionTexts(values['by']));
  if (isSet(values['json']) && isSet(values['csv']))
    throw new HoldfastError('HF_USAGE', 'expected --json or --csv, got both', { remedy: 'use one of them' });
  const since = filterOf({ values: { since: values['since'] }, io }).since ?? startOfMonth(Date.now());
  const { records, unread } = readModelCalls(statePaths(homedir(), io.environment).journal, since);
  const rows = summarise(records, by);
  if (unread > 0) io.stderr.write(unreadText(unread));
  // Names are of agents and servers, and a terminal may be what reads them.
  if (isSet(values['json'])) io.stdout.write(escapeJson(usageJson(rows, unread)));
  else if (isSet(values['csv'])) io.stdout.write(usageCsv(rows, by));
  else
    io.stdout.write(
      rows.length === 0
        ? `no calls of models since ${timeText(since)}\n`
        : `since ${timeText(since)}\n${usageTable(rows, widthOfTerminal())}`,
    );
  return 0;
}

const dimensions: readonly Dimension[] = ['session', 'agent', 'model', 'provider', 'repository', 'day'];
const usual: readonly Dimension[] = ['provider', 'model'];

function dimensionsOf(given: readonly string[]): readonly Dimension[] {
  if (given.length === 0) return usual;
  return [...new Set(given.flatMap((names) => names.split(',')))].map((name) => {
    const known = dimensions.find((dimension) => dimension === name.trim());
    if (known === undefined)
      throw new HoldfastError('HF_USAGE', `expected ${dimensions.join(', ')}, got ${JSON.stringify(name)}`, {
        remedy: 'as in --by day,model',
      });
    return known;
  });
}

function unreadText(unread: number): string {
  return `${unread} ${unread === 1 ? 'line of the journal is' : 'lines of the journal are'} no whole entry, and calls may be missing here: see \`holdfast audit verify\`\n`;
}

/** In UTC, as budgets of a month are. */
function startOfMonth(now: number): number {
  return Date.parse(new Date(now).toISOString().slice(0, '2026-01'.length));
}

function timeText(time: number): string {
  return `${new Date(time).toISOString().slice(0, '2026-01-31T12:00'.length).replace('T', ' ')} UTC`;
}

/** What is not read on a terminal is not cut. */
function widthOfTerminal(): number {
  return process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY;
}
