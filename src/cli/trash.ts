import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { HoldfastError } from '../errors/index.ts';
import { parseDuration } from '../policy/layers/quantities.ts';
import { statePaths } from '../place/host/state-paths.ts';
import { purgeJournalled, restoreJournalled } from '../trash/session/trash-work.ts';
import type { TrashEntry } from '../trash/entry-file.ts';
import { Trash } from '../trash/trash.ts';
import { type Command, type CommandInput, isSet, jsonText, printResult, optionText } from './command.ts';
import { sizeText, howMany, lastItems, listedName } from './listing.ts';
import { lookOf } from './terminal/look.ts';
import { type TableColumn, terminalTable } from './terminal/terminal-table.ts';

const usage = `usage: holdfast trash [list] [--last N] [--json]
       holdfast trash restore ID… [--to PATH] [--json]
       holdfast trash purge --older-than 7d | --all [--json]

list:    lists files that boxes deleted, overwrote or truncated under a rule with \`decision = "stage"\`, newest last
         (default: the last 50).
restore: restores an entry to its old place, or to PATH, with its modes, times, attributes and links. It never
         overwrites anything.
purge:   deletes entries for good.

Any unique prefix of an ID works.`;

export const trashCommand: Command = {
  name: 'trash',
  usage,
  options: {
    json: { type: 'boolean' },
    last: { type: 'string' },
    to: { type: 'string' },
    'older-than': { type: 'string' },
    all: { type: 'boolean' },
  },
  positionals: 'any',
  alone: 'list',
  async run(input) {
    const [name = '', ...words] = input.positionals;
    const action = actions.get(name);
    if (action === undefined)
      throw new HoldfastError('HF_USAGE', `expected list, restore or purge, got ${JSON.stringify(name)}`, {
        remedy: 'see `holdfast trash --help`',
      });
    const paths = statePaths(homedir(), input.io.environment);
    return action(input, { trash: new Trash({ directory: paths.trash }), journal: paths.journal }, words);
  },
};

interface Kept {
  readonly trash: Trash;
  readonly journal: string;
}

const actions: ReadonlyMap<string, (input: CommandInput, kept: Kept, words: readonly string[]) => number> = new Map([
  ['list', list],
  ['restore', restore],
  ['purge', purge],
]);

function list({ io, values }: CommandInput, { trash }: Kept): number {
  const all = trash.list();
  const shown = lastItems(all, values['last']);
  if (isSet(values['json'])) io.stdout.write(jsonText({ total: all.length, bytes: total(all), entries: shown }));
  else if (all.length === 0)
    io.stdout.write(
      'No entries in the trash. A rule with `decision = "stage"` keeps deleted files there: see `holdfast help trash`\n',
    );
  else {
    io.stdout.write(terminalTable(shown, columns, lookOf(io)));
    io.stdout.write(`${howMany(shown.length, all.length)}, ${sizeText(total(all))} in all\n`);
  }
  return 0;
}

const columns: readonly TableColumn<TrashEntry>[] = [
  { head: 'ID', of: ({ id }) => id },
  { head: 'TIME', of: ({ at }) => `${new Date(at).toISOString().slice(0, 19)}Z` },
  { head: 'CAUSE', of: ({ cause }) => cause },
  { head: 'SIZE', of: ({ size }) => sizeText(size), align: 'right' },
  { head: 'PATH', of: ({ path }) => listedName(path === '' ? '(its path is lost)' : path), cut: 'start' },
];

function total(entries: readonly TrashEntry[]): number {
  return entries.reduce((sum, { size }) => sum + size, 0);
}

function restore(input: CommandInput, { trash, journal }: Kept, words: readonly string[]): number {
  const { io, values } = input;
  const to = optionText(values['to']);
  if (words.length === 0)
    throw new HoldfastError('HF_USAGE', 'the ID of an entry is missing', {
      remedy: 'run `holdfast trash list` to find it, then `holdfast trash restore ID`',
    });
  if (to !== undefined && words.length > 1)
    throw new HoldfastError('HF_USAGE', '--to takes a single entry', { remedy: 'restore them one by one' });
  const ids = words.map((word) => onlyOne(trash.list(), word));
  const restored: { readonly id: string; readonly path: string }[] = [];
  try {
    for (const id of ids)
      restored.push({
        id,
        path: restoreJournalled(
          trash,
          journal,
          to === undefined ? { id } : { id, to: Buffer.from(resolve(io.cwd, to)) },
        ).toString(),
      });
  } finally {
    // Printed even if a later file fails.
    if (restored.length > 0)
      printResult(input, { restored }, restored.map(({ path }) => `restored ${listedName(path)}\n`).join(''));
  }
  return 0;
}

function onlyOne(entries: readonly TrashEntry[], word: string): string {
  const found = entries.filter(({ id }) => id.startsWith(word));
  if (found[0] !== undefined && found.length === 1) return found[0].id;
  throw new HoldfastError(
    'HF_USAGE',
    `${found.length === 0 ? 'no entry has' : 'several entries have'} the ID ${JSON.stringify(word)}`,
    { remedy: 'see `holdfast trash list`' },
  );
}

function purge(input: CommandInput, { trash, journal }: Kept): number {
  const { values } = input;
  const age = optionText(values['older-than']);
  if ((age === undefined) !== isSet(values['all']))
    throw new HoldfastError('HF_USAGE', 'expected either --older-than or --all', {
      remedy: 'use --older-than 7d, or --all',
    });
  const milliseconds = age === undefined ? undefined : parseDuration(age);
  if (age !== undefined && milliseconds === undefined)
    throw new HoldfastError('HF_USAGE', `expected a duration, got ${JSON.stringify(age)}`, {
      remedy: 'use --older-than 7d, 12h or 30m',
    });
  const gone = purgeJournalled(trash, journal, milliseconds === undefined ? undefined : Date.now() - milliseconds);
  const bytes = gone.reduce((sum, { size }) => sum + size, 0);
  printResult(
    input,
    { removed: gone.map(({ id }) => id), bytes },
    `removed ${gone.length === 1 ? '1 entry' : `${gone.length} entries`}, ${sizeText(bytes)}\n`,
  );
  return 0;
}
