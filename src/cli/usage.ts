import { homedir } from 'node:os';
import { HoldfastError } from '../errors/index.ts';
import { type Dimension, summarise, usageCsv, usageJson } from '../llm/index.ts';
import { statePaths } from '../place/host/state-paths.ts';
import { readModelCalls } from '../llm/session/read-calls.ts';
import { escapeJson } from '../text/escape-hidden.ts';
import { filterOf } from './audit/input.ts';
import { isSet, optionTexts, type Command, type CommandInput } from './command.ts';
import { lookOf } from './terminal/look.ts';
import { usageTable } from './usage-table.ts';

const usage = `usage: holdfast usage [--by NAME[,NAME…]] [--since TIME] [--json | --csv]

Shows calls of language models: their number, tokens of every class, and cost in US dollars. Holdfast counts them where
a box may reach a known model server, or one from [[llm.servers]].

  --by NAMES    session, agent, model, provider, repository, day; default: provider,model
  --since TIME  2h or 30d ago, or 2026-01-31, or 2026-01-31T12:00 (UTC, or with an offset); default: the first of this month
  --json        print JSON; an unknown cost is null, \`unread\` counts unreadable lines of the journal
  --csv         print CSV for spreadsheets; an unknown cost is an empty cell

Days and months are UTC. An unknown cost is ?, and a partly unknown sum is "12.35 + ?"; it never counts as 0.
Refused calls are not counted: see \`holdfast llm log --refused\`.`;

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
    throw new HoldfastError('HF_USAGE', '--json and --csv cannot be combined', { remedy: 'use one of them' });
  const since = filterOf({ values: { since: values['since'] }, io }).since ?? startOfMonth(Date.now());
  const { records, unread } = readModelCalls(statePaths(homedir(), io.environment).journal, since);
  const rows = summarise(records, by);
  if (unread > 0) io.stderr.write(unreadText(unread));
  // Agents and servers choose the names, and a terminal may read the output.
  if (isSet(values['json'])) io.stdout.write(escapeJson(usageJson(rows, unread)));
  else if (isSet(values['csv'])) io.stdout.write(usageCsv(rows, by));
  else
    io.stdout.write(
      rows.length === 0
        ? `No model calls since ${timeText(since)}. Look further back: holdfast usage --since ${values['since'] === undefined ? '90d' : 'TIME'}\n`
        : `since ${timeText(since)}\n${usageTable(rows, lookOf(io))}`,
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
        remedy: 'use --by day,model',
      });
    return known;
  });
}

function unreadText(unread: number): string {
  return `${unread} ${unread === 1 ? 'line of the journal is' : 'lines of the journal are'} no whole entry, and calls may be missing here: see \`holdfast audit verify\`\n`;
}

/** In UTC, like monthly budgets. */
function startOfMonth(now: number): number {
  return Date.parse(new Date(now).toISOString().slice(0, '2026-01'.length));
}

function timeText(time: number): string {
  return `${new Date(time).toISOString().slice(0, '2026-01-31T12:00'.length).replace('T', ' ')} UTC`;
}
