/** `holdfast llm`: calls of language models one by one, and what was said in them where the policy has it kept. */
import { homedir } from 'node:os';
import { HoldfastError } from '../../errors/index.ts';
import { statePaths, type StatePaths } from '../../sandbox/host/state-paths.ts';
import type { Command, CommandInput } from '../command.ts';
import { logCalls } from './log.ts';
import { showCall } from './show.ts';

const usage = `usage: holdfast llm log [--since TIME] [--until TIME] [--session ID] [--provider NAME] [--model NAME] [--refused] [--limit N] [--json]
       holdfast llm show ID [--raw | --json]

log:  calls of language models, newest last: when, ID, provider, model, status, tokens in and out, US dollars, how long it took and
      until the answer began, tools that were asked for, and whether its texts are kept
show: one call, what rules found in it, and the conversation where it is kept. --raw: request and answer as they were kept

  --since, --until TIME  2h or 30d ago, or 2026-01-31, or 2026-01-31T12:00 (UTC, or with an offset)
  --session ID           the beginning of one
  --provider, --model    the name; * stands for any characters
  --refused              those alone that Holdfast refused
  --limit N              the newest so many; default: 50

Texts are kept where the user's or the machine's policy has \`[llm] log = "bodies"\`. TEXTS says kept, gone (too old, or too much), lost
(could not be written), or - where nothing asked for it. An ID is the number of the call in the journal, or what it is kept under, which
may be shortened.`;

export const llmCommand: Command = {
  name: 'llm',
  summary: 'show calls of language models, and what was said where it is kept',
  usage,
  options: { since: { type: 'string' }, until: { type: 'string' }, session: { type: 'string' }, provider: { type: 'string' }, model: { type: 'string' }, refused: { type: 'boolean' }, limit: { type: 'string' }, json: { type: 'boolean' }, raw: { type: 'boolean' } },
  positionals: 'any',
  run: (input) => Promise.resolve(run(input)),
};

function run(input: CommandInput): number {
  const [name = '', ...words] = input.positionals;
  const action = actions.find((known) => known.name === name);
  if (action === undefined) throw wrong(`expected log or show, got ${JSON.stringify(name)}`);
  const stray = Object.keys(input.values).find((option) => !action.options.includes(option));
  if (stray !== undefined) throw wrong(`\`llm ${name}\` has no option --${stray}`);
  if (words.length !== action.words) throw wrong(action.words === 0 ? `\`llm ${name}\` does not take ${JSON.stringify(words[0])}` : `expected the ID of one call, got ${words.length}`);
  return action.run(input, statePaths(homedir(), input.io.environment), words[0] ?? '');
}

interface Action {
  readonly name: string;
  readonly options: readonly string[];
  readonly words: number;
  readonly run: (input: CommandInput, paths: StatePaths, word: string) => number;
}

const actions: readonly Action[] = [
  { name: 'log', options: ['since', 'until', 'session', 'provider', 'model', 'refused', 'limit', 'json'], words: 0, run: logCalls },
  { name: 'show', options: ['raw', 'json'], words: 1, run: showCall },
];

function wrong(message: string): HoldfastError {
  return new HoldfastError('HF_USAGE', message, { remedy: 'see `holdfast llm --help`' });
}
