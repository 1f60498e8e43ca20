import type { CommandPattern } from './command-pattern.ts';
import { matchesWildcard } from './wildcard.ts';

/** One command pattern in a set: in which order it is tried, and what it stands for. */
export interface CommandEntry<Value> {
  readonly pattern: CommandPattern;
  /** Lower is tried first. */
  readonly order: number;
  readonly value: Value;
  /**
   * Which programs a bare name stands for. `any` takes every program that is called so, by its path or by its `argv[0]`:
   * right for what refuses. `trusted` takes no program from a directory that the box can write to, where a planted `git`
   * would be waved through: right for what allows.
   */
  readonly programs: 'any' | 'trusted';
  /** Only commands that were started like this; absent means both. */
  readonly context?: CommandQuery['context'];
}

export interface CommandQuery {
  /** Absolute path, or the bare name when it was not resolved. */
  readonly program: string;
  readonly argv: readonly string[];
  readonly context: 'direct' | 'nested';
}

export interface CommandIndex<Value> {
  /** The entry with the lowest order that matches. */
  readonly first: (query: CommandQuery) => CommandEntry<Value> | undefined;
}

/**
 * Commands are found by their program's name; only patterns with a wildcard there are compared one by one. `isPlanted`
 * says whether a program lies in a directory that the box can write to.
 */
export function commandIndex<Value>(entries: readonly CommandEntry<Value>[], isPlanted: (program: string) => boolean): CommandIndex<Value> {
  const byName = new Map<string, CommandEntry<Value>[]>();
  const wild: CommandEntry<Value>[] = [];
  for (const entry of entries.toSorted((a, b) => a.order - b.order)) {
    const name = entry.pattern.program.literal;
    if (name === undefined) wild.push(entry);
    else append(byName, name, entry);
  }
  return {
    first(query) {
      const name = baseName(query.program);
      let best = firstNamed(byName.get(name), { query, isPlanted });
      if (name !== query.program) best = earlier(best, firstNamed(byName.get(query.program), { query, isPlanted }));
      const shown = baseName(query.argv[0] ?? '');
      if (shown !== name) best = earlier(best, firstShown(byName.get(shown), query));
      return wild.length === 0 ? best : earlier(best, firstWild(wild, { query, isPlanted }));
    },
  };
}

interface Search {
  readonly query: CommandQuery;
  readonly isPlanted: (program: string) => boolean;
}

/** The last component of a path. */
function baseName(program: string): string {
  return program.slice(program.lastIndexOf('/') + 1);
}

function append<Value>(lists: Map<string, CommandEntry<Value>[]>, key: string, entry: CommandEntry<Value>): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [entry]);
  else list.push(entry);
}

function firstNamed<Value>(entries: readonly CommandEntry<Value>[] | undefined, search: Search): CommandEntry<Value> | undefined {
  return entries?.find((entry) => matchesWords(entry, search.query) && trusts(entry, search));
}

/** `argv[0]` is only what the caller says: it may refuse, never allow. */
function firstShown<Value>(entries: readonly CommandEntry<Value>[] | undefined, query: CommandQuery): CommandEntry<Value> | undefined {
  return entries?.find((entry) => entry.programs === 'any' && matchesWords(entry, query));
}

function firstWild<Value>(entries: readonly CommandEntry<Value>[], search: Search): CommandEntry<Value> | undefined {
  return entries.find((entry) => matchesProgram(entry, search) && matchesWords(entry, search.query));
}

function matchesProgram<Value>(entry: CommandEntry<Value>, search: Search): boolean {
  const { program } = entry.pattern;
  const { query } = search;
  if (program.source.includes('/')) return matchesWildcard(program, query.program);
  if (!trusts(entry, search)) return false;
  if (matchesWildcard(program, baseName(query.program))) return true;
  return entry.programs === 'any' && matchesWildcard(program, baseName(query.argv[0] ?? ''));
}

function trusts<Value>(entry: CommandEntry<Value>, { query, isPlanted }: Search): boolean {
  return entry.programs === 'any' || entry.pattern.program.source.includes('/') || !isPlanted(query.program);
}

function matchesWords<Value>({ pattern, context }: CommandEntry<Value>, query: CommandQuery): boolean {
  if (context !== undefined && context !== query.context) return false;
  for (let index = 0; index < pattern.words.length; index += 1) {
    const word = query.argv[index + 1];
    const wildcard = pattern.words[index];
    if (word === undefined || wildcard === undefined || !matchesWildcard(wildcard, word)) return false;
  }
  return true;
}

function earlier<Value>(a: CommandEntry<Value> | undefined, b: CommandEntry<Value> | undefined): CommandEntry<Value> | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return b.order < a.order ? b : a;
}
