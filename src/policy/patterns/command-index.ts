import { lazily } from '../lazily.ts';
import type { Canonicalise } from './command-words.ts';
import type { CommandPattern } from './command-pattern.ts';
import {
  type CommandWords,
  type MatchReach,
  type ReadCommand,
  wordsMatcher,
  type WordsMatcher,
} from './matches-words.ts';
import { matchesWildcard } from './wildcard.ts';

/** A command pattern in a set, with its order and its value. */
export interface CommandEntry<Value> {
  readonly pattern: CommandPattern;
  /** Lower is tried first. */
  readonly order: number;
  readonly value: Value;
  /**
   * Programs that a bare name matches. `any`: every program with that name, by its path or by its `argv[0]`; for
   * denials. `trusted`: no program in a directory that the box can write to, because a planted `git` would pass; for
   * grants.
   */
  readonly programs: 'any' | 'trusted';
  readonly words: MatchReach;
  /** Only commands that were started this way. Undefined for both. */
  readonly context?: CommandQuery['context'];
}

export interface CommandQuery extends CommandWords {
  /** Absolute path, or the bare name if it was not resolved. */
  readonly program: string;
  readonly context: 'direct' | 'nested';
}

export interface CommandIndex<Value> {
  /** Returns the matching entry with the lowest order. */
  readonly first: (query: CommandQuery) => CommandEntry<Value> | undefined;
  /**
   * Returns the restricting entry with the lowest order below `before` that could match, depending on unknown
   * arguments.
   */
  readonly possible: (query: CommandQuery, before: number) => CommandEntry<Value> | undefined;
}

export interface IndexOptions {
  /** Whether a program is in a directory that the box can write to. */
  readonly isPlanted: (program: string) => boolean;
  readonly canonicalise: Canonicalise;
}

/**
 * Indexes commands by the name of their program. Only patterns with a wildcard in that name are compared one by one.
 */
export function commandIndex<Value>(
  entries: readonly CommandEntry<Value>[],
  { isPlanted, canonicalise }: IndexOptions,
): CommandIndex<Value> {
  const matcher = wordsMatcher(canonicalise);
  const { byName, wild } = tablesOf(entries, matcher);
  const find = (query: CommandQuery, test: WordsTest): CommandEntry<Value> | undefined => {
    const name = baseName(query.program);
    const shown = baseName(query.argv[0] ?? '');
    const named = byName.get(name);
    const placed = name === query.program ? undefined : byName.get(query.program);
    const pretended = shown === name ? undefined : byName.get(shown);
    // If no pattern names the command, its arguments are not parsed at all. This is the usual case.
    if (wild.length === 0 && named === undefined && placed === undefined && pretended === undefined) return undefined;
    const search: Search = { query, isPlanted, test, command: matcher.read(query, name) };
    let best = firstNamed(named, search);
    if (placed !== undefined) best = earlier(best, firstNamed(placed, search));
    if (pretended !== undefined)
      best = earlier(best, firstShown(pretended, { ...search, command: matcher.read(query, shown) }));
    return wild.length === 0 ? best : earlier(best, firstWild(wild, search));
  };
  const matching: WordsTest = {
    tries: 'those-with-its-words',
    passes: ({ pattern, words }, command) => matcher.matches(pattern, command, words),
  };
  return {
    first: (query) => find(query, matching),
    possible: (query, before) =>
      find(query, {
        tries: 'all',
        passes: (entry, command) => entry.order < before && isPossible(matcher, entry, command),
      }),
  };
}

interface WordsTest {
  /** An unknown argument could be the one that a pattern needs, so all patterns are tried. */
  readonly tries: 'all' | 'those-with-its-words';
  readonly passes: (entry: CommandEntry<unknown>, command: ReadCommand) => boolean;
}

interface ProgramTables<Value> {
  readonly byName: ReadonlyMap<string, WordTable<CommandEntry<Value>>>;
  readonly wild: readonly CommandEntry<Value>[];
}

function tablesOf<Value>(entries: readonly CommandEntry<Value>[], matcher: WordsMatcher): ProgramTables<Value> {
  const lists = new Map<string, CommandEntry<Value>[]>();
  const wild: CommandEntry<Value>[] = [];
  for (const entry of entries.toSorted((a, b) => a.order - b.order)) {
    const name = entry.pattern.program.literal;
    if (name === undefined) wild.push(entry);
    else append(lists, name, entry);
  }
  const tableOf = (list: readonly CommandEntry<Value>[], program: string): WordTable<CommandEntry<Value>> =>
    wordTable(list, ({ pattern }) => matcher.needs(pattern, baseName(program)));
  return { byName: new Map(Array.from(lists, ([program, list]) => [program, tableOf(list, program)])), wild };
}

interface Search {
  readonly query: CommandQuery;
  readonly isPlanted: (program: string) => boolean;
  readonly test: WordsTest;
  readonly command: ReadCommand;
}

/** Grants never match more than they say. */
function isPossible(
  matcher: WordsMatcher,
  { pattern, words, programs }: CommandEntry<unknown>,
  command: ReadCommand,
): boolean {
  return words === 'wide' && programs === 'any' && matcher.couldMatch(pattern, command);
}

/** The last component of a path. */
function baseName(program: string): string {
  return program.slice(program.lastIndexOf('/') + 1);
}

function append<Entry>(lists: Map<string, Entry[]>, key: string, entry: Entry): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [entry]);
  else list.push(entry);
}

function firstNamed<Value>(
  table: WordTable<CommandEntry<Value>> | undefined,
  search: Search,
): CommandEntry<Value> | undefined {
  return table && firstIn(table, search, (entry) => matchesWords(entry, search) && trusts(entry, search));
}

function firstIn<Value>(
  table: WordTable<CommandEntry<Value>>,
  { query, test }: Search,
  passes: (entry: CommandEntry<Value>) => boolean,
): CommandEntry<Value> | undefined {
  return test.tries === 'all' ? table.all.find(passes) : table.first(query.argv, passes);
}

/** The caller chooses `argv[0]`, so it may lead to a denial but never to a grant. */
function firstShown<Value>(table: WordTable<CommandEntry<Value>>, search: Search): CommandEntry<Value> | undefined {
  return firstIn(table, search, (entry) => entry.programs === 'any' && matchesWords(entry, search));
}

function firstWild<Value>(entries: readonly CommandEntry<Value>[], search: Search): CommandEntry<Value> | undefined {
  return entries.find((entry) => matchesProgram(entry, search) && matchesWords(entry, search));
}

function matchesProgram<Value>(entry: CommandEntry<Value>, search: Search): boolean {
  const { program } = entry.pattern;
  const { query } = search;
  if (!trusts(entry, search)) return false;
  if (program.source.includes('/')) return matchesWildcard(program, query.program);
  if (matchesWildcard(program, baseName(query.program))) return true;
  return entry.programs === 'any' && matchesWildcard(program, baseName(query.argv[0] ?? ''));
}

function trusts<Value>(entry: CommandEntry<Value>, { query, isPlanted }: Search): boolean {
  // The name of a multi-call program (busybox) selects its tool.
  if (
    entry.pattern.exactly !== undefined &&
    entry.programs === 'trusted' &&
    query.argv[0] !== query.program &&
    query.argv[0] !== baseName(query.program)
  )
    return false;
  return entry.programs === 'any' || entry.pattern.program.source.includes('/') || !isPlanted(query.program);
}

function matchesWords<Value>(entry: CommandEntry<Value>, { query, test, command }: Search): boolean {
  return (entry.context === undefined || entry.context === query.context) && test.passes(entry, command);
}

function earlier<Value>(
  a: CommandEntry<Value> | undefined,
  b: CommandEntry<Value> | undefined,
): CommandEntry<Value> | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return b.order < a.order ? b : a;
}

/** Patterns about one program, in the order in which they are tried. */
interface WordTable<Entry> {
  readonly all: readonly Entry[];
  /** Returns the first entry that passes. Skips entries that need an argument that the command lacks. */
  readonly first: (argv: readonly string[], passes: (entry: Entry) => boolean) => Entry | undefined;
}

interface Ordered {
  readonly order: number;
}

/** Below this number, trying one by one is faster. */
const fewest = 6;
/** Longer commands try every pattern once, so that repeated arguments do not multiply the work. */
const mostWords = 32;

/**
 * `neededBy` returns a set of arguments, at least one of which must follow the program. Undefined if no argument is
 * required.
 */
export function wordTable<Entry extends Ordered>(
  all: readonly Entry[],
  neededBy: (entry: Entry) => readonly string[] | undefined,
): WordTable<Entry> {
  if (all.length < fewest) return { all, first: (_, passes) => all.find(passes) };
  const tables = lazily(() => wordTablesOf(all, neededBy));
  return {
    all,
    first: (argv, passes) => (argv.length > mostWords ? all.find(passes) : firstOf(tables(), argv, passes)),
  };
}

interface Tables<Entry> {
  /** Entries that need no particular argument. */
  readonly open: readonly Entry[];
  readonly byWord: ReadonlyMap<string, readonly Entry[]>;
}

function wordTablesOf<Entry>(
  all: readonly Entry[],
  neededBy: (entry: Entry) => readonly string[] | undefined,
): Tables<Entry> {
  const open: Entry[] = [];
  const byWord = new Map<string, Entry[]>();
  for (const entry of all) {
    const words = neededBy(entry);
    if (words === undefined) open.push(entry);
    else for (const word of new Set(words)) append(byWord, word, entry);
  }
  return { open, byWord };
}

function firstOf<Entry extends Ordered>(
  { open, byWord }: Tables<Entry>,
  argv: readonly string[],
  passes: (entry: Entry) => boolean,
): Entry | undefined {
  let best = open.find(passes);
  for (let at = 1; at < argv.length; at += 1) {
    const word = argv[at] ?? '';
    const list = byWord.get(word);
    if (list === undefined || argv.indexOf(word, 1) < at) continue;
    const found = list.find(passes);
    if (found !== undefined && (best === undefined || found.order < best.order)) best = found;
  }
  return best;
}
