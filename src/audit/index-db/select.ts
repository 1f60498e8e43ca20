import type { DatabaseSync } from 'node:sqlite';
import { pathComponents } from '../../policy/normalise/path.ts';
import type { EventFilter, HostQuery, PathQuery } from './filter.ts';
import type { OpenIndex } from './index-file.ts';
import { matchExpression } from './phrases.ts';
import { backwards, type NameKind, nameKinds } from './schema.ts';

/** Place of a found entry. */
export interface FoundRow {
  readonly id: number;
  readonly part: number;
  readonly offset: number;
  /** Bytes of the line with its newline. */
  readonly size: number;
  readonly seq: number;
}

/** Selects rows by a filter, newest entries first. Without FTS5, the caller has to check the words. */
export function selectRows({ database, fullText }: OpenIndex, filter: EventFilter): Iterable<FoundRow> {
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

/** The text of a condition is a constant of ours. User input is always a value. */
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
  // `/` follows the dot in ASCII.
  return namesBetween('host', { from: `${backwards(query.suffix)}.`, to: `${backwards(query.suffix)}/` });
}

/**
 * The pattern runs only on names that hold its longest literal text. Half a million names are quickly searched for
 * that.
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

/** `0` follows the slash in ASCII. */
function namesBeneath(base: string): Condition {
  if (base === '/') return { sql: 'SELECT id FROM names WHERE kind = ?', values: [nameKinds.path] };
  return {
    sql: 'SELECT id FROM names WHERE kind = ? AND (text = ? OR (text >= ? AND text < ?))',
    values: [nameKinds.path, base, `${base}/`, `${base}0`],
  };
}
