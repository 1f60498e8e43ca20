import { closeSync, mkdirSync, readSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { HoldfastError } from '../../errors/index.ts';
import { pathComponents } from '../../policy/normalise/path.ts';
import { longestEntry } from '../chunks.ts';
import { journalEntry, type JournalEntry, type JournalPosition } from '../entries.ts';
import { openOwn } from '../open-own.ts';
import { rotatedPath } from '../parts.ts';
import { indexedFacts, type RawEntry } from './facts.ts';
import { type EventFilter, matchesFilter, type HostQuery, type PathQuery } from './filter.ts';
import { indexFailed, indexPath, moveAside, openIndex, type OpenIndex, UnusableIndex } from './index-file.ts';
import { matchExpression } from './phrases.ts';
import { backwards, type NameKind, nameKinds } from './schema.ts';
import { updateIndex } from './update-index.ts';

export interface QueryOptions {
  readonly filter: EventFilter;
  /** Returns at most this many of the newest entries. Default: 100. */
  readonly limit?: number;
  /** Receives a line if the answer takes long or an index is built again. */
  readonly tell?: (message: string) => void;
  /** Milliseconds that another process may lock the index before a new one is built. Default: 10,000. */
  readonly patience?: number;
}

export interface QueryResult {
  /** Oldest first. */
  readonly entries: readonly JournalEntry[];
  /** Whether the limit left out older entries. */
  readonly more: boolean;
  /** Number of invalid lines before the last entry. `verifyJournal` lists them. */
  readonly skipped: number;
  /** Position of the next entry. */
  readonly next: JournalPosition;
}

const defaultLimit = 100;
/** Limits attempts if the journal is replaced again and again. */
const attempts = 3;

/**
 * Returns the entries of a journal that match a filter, with the help of its index `journal.db`. New entries are
 * indexed first. An index that is damaged, of another version, locked for long, or made of another journal is moved
 * aside and built again. Each entry is read from the journal and compared with the filter, so the index cannot invent
 * one.
 *
 * Throws `HF_INDEX_FAILED`, `HF_DISK_FULL`, and the errors of `journalEntries`.
 */
export function queryJournal(journal: string, options: QueryOptions): QueryResult {
  const file = indexPath(journal);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  for (let attempt = 1; ; attempt += 1) {
    try {
      return answer(file, journal, options);
    } catch (error) {
      if (!(error instanceof UnusableIndex)) throw error;
      if (attempt === attempts)
        throw new HoldfastError('HF_INDEX_FAILED', `the index ${file} ${error.message}, ${attempts} times`, {
          remedy: 'see who else changes the state directory; `holdfast audit show` needs no index',
          cause: error,
        });
      options.tell?.(`the index ${error.message}: it is kept as ${moveAside(file)}, and a new one is built`);
    }
  }
}

function answer(
  file: string,
  journal: string,
  { filter, limit = defaultLimit, tell, patience }: QueryOptions,
): QueryResult {
  const index = openIndex(file, patience);
  try {
    const { skipped, next } = updateIndex(index, journal, {
      onBatch: (entries) => tell?.(`${entries} entries indexed so far`),
    });
    const newest = newestEntries(index, journal, { filter, limit: limit + 1 });
    return { entries: newest.slice(0, limit).toReversed(), more: newest.length > limit, skipped, next };
  } catch (cause) {
    throw indexFailed(cause);
  } finally {
    index.database.close();
  }
}

function newestEntries(
  index: OpenIndex,
  journal: string,
  { filter, limit }: Required<Pick<QueryOptions, 'filter' | 'limit'>>,
): readonly JournalEntry[] {
  using reader = new RowReader(journal);
  const found: JournalEntry[] = [];
  for (const row of selectRows(index, filter)) {
    const entry = reader.read(row);
    const isMatch = entry !== undefined && matchesFilter(filter, indexedFacts(entry as unknown as RawEntry));
    if (isMatch) found.push(entry);
    else if (entry === undefined || index.fullText === 'fts5') throw new UnusableIndex('does not fit the journal');
    if (found.length === limit) break;
  }
  return found;
}

/** Reads entries at the positions that the index gives. Must be disposed of. */
class RowReader implements Disposable {
  readonly #journal: string;
  readonly #open = new Map<number, number>();

  constructor(journal: string) {
    this.#journal = journal;
  }

  /** Undefined if no such entry is there. */
  read({ part, offset, size, seq }: FoundRow): JournalEntry | undefined {
    // A modified index may hold any value.
    const isPlace =
      Number.isSafeInteger(part) &&
      Number.isSafeInteger(offset) &&
      offset >= 0 &&
      Number.isSafeInteger(size) &&
      size > 0 &&
      size <= longestEntry;
    const fd = isPlace ? this.#fdOf(part) : undefined;
    if (fd === undefined) return undefined;
    const bytes = Buffer.allocUnsafe(size);
    if (readSync(fd, bytes, 0, size, offset) < size || bytes.at(-1) !== newline) return undefined;
    const entry = journalEntry(bytes.toString('utf8', 0, size - 1));
    return entry !== undefined && (entry.seq === seq || seq === 0) ? entry : undefined;
  }

  /** The growing file may be rotated at any moment, and then gets its number in its name. */
  #fdOf(part: number): number | undefined {
    const known = this.#open.get(part);
    if (known !== undefined) return known;
    const rotated = rotatedPath(this.#journal, part);
    const fd = tryOpen(rotated) ?? tryOpen(this.#journal) ?? tryOpen(rotated);
    if (fd !== undefined) this.#open.set(part, fd);
    return fd;
  }

  [Symbol.dispose](): void {
    for (const fd of this.#open.values()) closeSync(fd);
    this.#open.clear();
  }
}

const newline = 0x0a;

function tryOpen(path: string): number | undefined {
  try {
    return openOwn(path, 'read').fd;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Position of a found entry. */
interface FoundRow {
  readonly id: number;
  readonly part: number;
  readonly offset: number;
  /** Bytes of the line with its newline. */
  readonly size: number;
  readonly seq: number;
}

/** Selects rows by a filter, newest entries first. Without FTS5, the caller must check the words. */
function selectRows({ database, fullText }: OpenIndex, filter: EventFilter): Iterable<FoundRow> {
  const conditions = conditionsOf(database, filter);
  const hasWords = filter.words !== undefined && fullText === 'fts5';
  if (hasWords) conditions.unshift({ sql: 'words MATCH ?', values: [matchExpression(filter.words)] });
  // CROSS JOIN makes SQLite start with the words, which have fewer rows: https://sqlite.org/optoverview.html#crossjoin
  const from = hasWords ? 'words CROSS JOIN events ON events.id = words.rowid' : 'events';
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`;
  const statement = database.prepare(
    `SELECT events.id, part, offset, size, seq FROM ${from} ${where} ORDER BY ${hasWords ? 'words.rowid' : 'events.id'} DESC`,
  );
  return statement.iterate(...conditions.flatMap(({ values }) => values)) as unknown as Iterable<FoundRow>;
}

/** The text of a condition is a constant. User input is always a bound value. */
interface Condition {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

function conditionsOf(
  database: DatabaseSync,
  { since, until, session, types, decisions, path, host }: EventFilter,
): Condition[] {
  return [
    ...(since === undefined ? [] : [{ sql: 'time >= ?', values: [since] }]),
    ...(until === undefined ? [] : [{ sql: 'time < ?', values: [until] }]),
    ...(session === undefined || session === ''
      ? []
      : [within('session', namesBetween('session', { from: session, to: `${session}\u{10ffff}` }))]),
    ...(types === undefined ? [] : [within('type', namesAmong('type', types))]),
    ...(decisions === undefined ? [] : [decisionCondition(decisions)]),
    ...(path === undefined ? [] : [withinOrMore('path', pathNames(database, path))]),
    ...(host === undefined ? [] : [withinOrMore('host', hostNames(host))]),
  ];
}

function decisionCondition(decisions: readonly string[]): Condition {
  return within('decision', namesAmong('decision', decisions));
}

function within(column: NameKind, names: Condition): Condition {
  return { sql: `${column} IN (${names.sql})`, values: names.values };
}

function withinOrMore(column: NameKind, names: Condition): Condition {
  return {
    sql: `(${column} IN (${names.sql}) OR events.id IN (SELECT event FROM more WHERE name IN (${names.sql})))`,
    values: [...names.values, ...names.values],
  };
}

function namesAmong(kind: NameKind, texts: readonly string[]): Condition {
  return {
    sql: 'SELECT id FROM names WHERE kind = ? AND text IN (SELECT value FROM json_each(?))',
    values: [nameKinds[kind], JSON.stringify(texts)],
  };
}

/** `from` is inclusive, `to` exclusive, by the bytes of UTF-8. */
function namesBetween(kind: NameKind, { from, to }: { readonly from: string; readonly to: string }): Condition {
  return { sql: 'SELECT id FROM names WHERE kind = ? AND text >= ? AND text < ?', values: [nameKinds[kind], from, to] };
}

function hostNames(query: HostQuery): Condition {
  if (query.kind === 'exact') return namesAmong('host', [backwards(query.host)]);
  // In ASCII, `/` follows the dot.
  return namesBetween('host', { from: `${backwards(query.suffix)}.`, to: `${backwards(query.suffix)}/` });
}

/**
 * The pattern runs only on names with its longest literal text. Searching half a million names for that text is fast.
 */
function pathNames(database: DatabaseSync, { base, kind, matches, holds }: PathQuery): Condition {
  const names = namesBeneath(base);
  if (kind === 'beneath') return names;
  const statement = database.prepare(
    `SELECT id, text FROM (${names.sql.replace('SELECT id', 'SELECT id, text')}) WHERE instr(text, ?) > 0`,
  );
  const rows = statement.iterate(...names.values, holds) as unknown as Iterable<{
    readonly id: number;
    readonly text: string;
  }>;
  const ids = Array.from(rows).flatMap(({ id, text }) => (matches(pathComponents(text) ?? []) ? [id] : []));
  return { sql: 'SELECT value FROM json_each(?)', values: [JSON.stringify(ids)] };
}

/** In ASCII, `0` follows the slash. */
function namesBeneath(base: string): Condition {
  if (base === '/') return { sql: 'SELECT id FROM names WHERE kind = ?', values: [nameKinds.path] };
  return {
    sql: 'SELECT id FROM names WHERE kind = ? AND (text = ? OR (text >= ? AND text < ?))',
    values: [nameKinds.path, base, `${base}/`, `${base}0`],
  };
}
