/** `holdfast llm`: lists calls of language models, and shows their texts if the policy keeps them. */
import { homedir } from 'node:os';
import { inputOf, milliseconds } from '../../audit/report/describe-entry.ts';
import { HoldfastError } from '../../errors/index.ts';
import { statePaths, type StatePaths } from '../../place/host/state-paths.ts';
import { filterOf, limitOf } from '../audit/input.ts';
import { type Command, type CommandInput, isSet, jsonText, optionText } from '../command.ts';
import { listedName } from '../listing.ts';
import { lookOf } from '../terminal/look.ts';
import { type TableColumn, terminalTable } from '../terminal/terminal-table.ts';
import { callJson, callsOf, type ModelEntry, type TextsState, textsState } from './calls.ts';
import { showCall } from './show.ts';

const usage = `usage: holdfast llm [log] [--since TIME] [--until TIME] [--session ID] [--provider NAME] [--model NAME] [--refused] [--limit N] [--json]
       holdfast llm show ID [--raw | --json]

log:  lists calls of language models, newest last: time, ID, provider, model, status, tokens in and out, US dollars,
      duration, time to the first answer, requested tools, and whether its texts are kept
show: shows one call, the findings of rules in it, and its conversation if it is kept. --raw: the kept request and answer

  --since, --until TIME  2h or 30d ago, or 2026-01-31, or 2026-01-31T12:00 (UTC, or with an offset)
  --session ID           the ID of a session, or its beginning
  --provider, --model    the name; * matches any characters
  --refused              only calls that Holdfast refused
  --limit N              only the newest N; default: 50

Holdfast keeps texts where your policy or the policy of the machine has \`[llm] log = "bodies"\`. TEXTS is kept, gone (too
old, or too large), lost (the write failed), or - (nothing asked to keep them). ID is the number of the call in the
journal, or the ID of its kept texts, which you can shorten.`;

export const llmCommand: Command = {
  name: 'llm',
  usage,
  options: {
    since: { type: 'string' },
    until: { type: 'string' },
    session: { type: 'string' },
    provider: { type: 'string' },
    model: { type: 'string' },
    refused: { type: 'boolean' },
    limit: { type: 'string' },
    json: { type: 'boolean' },
    raw: { type: 'boolean' },
  },
  positionals: 'any',
  alone: 'log',
  run: (input) => Promise.resolve(run(input)),
};

function run(input: CommandInput): number {
  const [name = '', ...words] = input.positionals;
  const action = actions.find((known) => known.name === name);
  if (action === undefined) throw wrong(`expected log or show, got ${JSON.stringify(name)}`);
  const stray = Object.keys(input.values).find((option) => !action.options.includes(option));
  if (stray !== undefined) throw wrong(`\`llm ${name}\` has no option --${stray}`);
  if (words.length !== action.words)
    throw wrong(
      action.words === 0
        ? `\`llm ${name}\` does not take ${JSON.stringify(words[0])}`
        : `expected the ID of one call, got ${words.length}`,
    );
  return action.run(input, statePaths(homedir(), input.io.environment), words[0] ?? '');
}

interface Action {
  readonly name: string;
  readonly options: readonly string[];
  readonly words: number;
  readonly run: (input: CommandInput, paths: StatePaths, word: string) => number;
}

const defaultLimit = 50;

const actions: readonly Action[] = [
  {
    name: 'log',
    options: ['since', 'until', 'session', 'provider', 'model', 'refused', 'limit', 'json'],
    words: 0,
    run: logCalls,
  },
  { name: 'show', options: ['raw', 'json'], words: 1, run: showCall },
];

function wrong(message: string): HoldfastError {
  return new HoldfastError('HF_USAGE', message, { remedy: 'see `holdfast llm --help`' });
}

/** Prints a table of calls, newest last. */
function logCalls(input: CommandInput, paths: StatePaths): number {
  const { values, io } = input;
  const limit = limitOf(input, defaultLimit);
  const { since, until, session } = values;
  const isChosen = ['provider', 'model', 'refused'].some((option) => values[option] !== undefined);
  // The journal's filters do not know these options.
  const all = callsOf(
    paths.journal,
    filterOf({ values: { since, until, session }, io }),
    isChosen ? undefined : limit + 1,
  ).filter(chosen(values));
  const shown = all.slice(-limit);
  const more = shown.length < all.length;
  const listed = shown.map((entry): ListedCall => ({ entry, texts: textsState(paths, entry) }));
  if (isSet(values['json']))
    io.stdout.write(jsonText({ more, calls: listed.map(({ entry, texts }) => callJson(entry, texts)) }));
  else if (shown.length === 0) io.stdout.write(`${emptyLog(values)}\n`);
  else
    io.stdout.write(
      `${terminalTable(listed, columns, { ...lookOf(io), heads: 'always' })}${more ? `the last ${limit} calls: --limit shows more` : `${shown.length} ${shown.length === 1 ? 'call' : 'calls'}`}\n`,
    );
  return 0;
}

function emptyLog(values: CommandInput['values']): string {
  const isFiltered = filters.some((option) => values[option] !== undefined);
  return isFiltered
    ? 'No model call matches the filters. See all calls: holdfast llm log'
    : 'No model calls. Allow a model server for one run: holdfast run --host api.anthropic.com -- COMMAND';
}

const filters = ['since', 'until', 'session', 'provider', 'model', 'refused'];

function chosen(values: CommandInput['values']): (entry: ModelEntry) => boolean {
  const [provider, model] = [globOf(optionText(values['provider'])), globOf(optionText(values['model']))];
  return (entry) =>
    provider(entry.provider) && model(entry.model ?? '') && (!isSet(values['refused']) || entry.refusal !== undefined);
}

/** `*` matches any characters. The texts between are searched in their order, so no pattern takes long. */
function globOf(pattern: string | undefined): (name: string) => boolean {
  if (pattern === undefined) return () => true;
  const [first = '', ...rest] = pattern.toLowerCase().split('*');
  const last = rest.pop();
  return (given) => {
    const name = given.toLowerCase();
    if (last === undefined) return name === first;
    if (!name.startsWith(first)) return false;
    let at = first.length;
    for (const part of rest) {
      const found = name.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return name.length - last.length >= at && name.endsWith(last);
  };
}

/** A call, with whether its texts are kept. */
interface ListedCall {
  readonly entry: ModelEntry;
  readonly texts: TextsState;
}

const columns: readonly TableColumn<ListedCall>[] = [
  { head: 'TIME', of: ({ entry: { time } }) => `${time.slice(0, '2026-01-31T12:00:00'.length).replace('T', ' ')}Z` },
  { head: 'ID', of: ({ entry: { seq } }) => String(seq), align: 'right' },
  { head: 'PROVIDER', of: ({ entry: { provider } }) => name(provider), cut: 'end' },
  { head: 'MODEL', of: ({ entry: { model } }) => (model === undefined ? '-' : name(model)), cut: 'end' },
  {
    head: 'STATUS',
    of: answerText,
    tone: ({ entry: { refusal } }) => (refusal === undefined ? 'plain' : 'refused'),
  },
  { head: 'IN', of: ({ entry: { tokens } }) => (tokens === undefined ? '?' : String(inputOf(tokens))), align: 'right' },
  { head: 'OUT', of: ({ entry: { tokens } }) => (tokens === undefined ? '?' : String(tokens.output)), align: 'right' },
  { head: 'USD', of: ({ entry: { usd } }) => (usd === null ? '?' : usd.toFixed(4)), align: 'right' },
  { head: 'TOOK', of: ({ entry: { duration } }) => milliseconds(duration), align: 'right', goes: 3 },
  {
    head: 'FIRST',
    of: ({ entry: { firstByte } }) => (firstByte === undefined ? '-' : milliseconds(firstByte)),
    align: 'right',
    goes: 1,
  },
  { head: 'TOOLS', of: ({ entry: { toolCalls } }) => String(toolCalls.length), align: 'right', goes: 2 },
  { head: 'TEXTS', of: ({ texts }) => (texts === 'none' ? '-' : texts), goes: 4 },
];

function answerText({ entry: { status, completeness, refusal } }: ListedCall): string {
  if (refusal !== undefined) return name(refusal.code);
  return `${status === 0 ? 'none' : status}${completeness === 'partial' ? ' cut' : ''}`;
}

const longestName = 40;

function name(text: string): string {
  const shown = listedName(text.slice(0, 1000));
  return shown.length <= longestName ? shown : `${shown.slice(0, longestName - 1)}…`;
}
