import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { atMost } from '../../../../scripts/testing/work-time.ts';
import { readOnlyAttacks, readOnlyUses } from '../testing/read-only-battery.ts';
import { judgeSql } from './check.ts';
import { lex } from './lex.ts';
import { isSafeEncoding } from './settings.ts';
import { rounds } from '../../../../scripts/testing/extent.ts';

/** Words and signs of a text, `'…'` for strings and `"…"` for quoted names; or why it is unclear. */
function shown(sql: string): string {
  const lexed = lex(sql);
  if (lexed.kind === 'unclear') return `? ${lexed.reason}`;
  return lexed.tokens
    .map((token) =>
      token.kind === 'string'
        ? `'${token.value}'`
        : token.kind === 'name'
          ? `"${token.value}"`
          : token.kind === 'number'
            ? '0'
            : token.value,
    )
    .join(' ');
}

describe('SQL is split as the server splits it', () => {
  test.each([
    ['words are folded', 'SELECT Foo', 'select foo'],
    ['names keep their case and their quotes', '"Foo ""bar"" ;"', '"Foo "bar" ;"'],
    ['line comments end with the line', 'a -- b ; c\nd', 'a d'],
    ['or with a carriage return', 'a -- b\rc', 'a c'],
    ['block comments nest', 'a /* b /* c */ d */ e', 'a e'],
    ['a comment begins inside of an operator', 'a +/* b */ c', 'a + c'],
    ['and in a row of slashes', 'a //* b */ c', 'a / c'],
    ['but not in a string', "'/*' a '--' b", "'/*' a '--' b"],
    ['nor in a name', '"/*" a "--" b', '"/*" a "--" b'],
    ['a quote is doubled in a string', "'it''s' a", "'it's' a"],
    ['backslashes are ordinary in a string', "'\\d\\\\' a", "'\\d\\\\' a"],
    ['and escape in an E string', "E'\\'; a' b", "'\\'; a' b"],
    ['which may be written with e', "e'\\\\' b", "'\\\\' b"],
    ['a name that ends in e begins none', "type'x' b", "type 'x' b"],
    ['a digit before it does not matter', "1e'\\'' b", "0 '\\'' b"],
    ['bits, hex and national strings are strings', "B'01' x'1F' N'n' a", "'01' '1F' 'n' a"],
    ['dollar quotes', '$$ a;b $$ c', "' a;b ' c"],
    ['with a name', "$x1$ $$ ' $x1$ c", "' $$ ' ' c"],
    ['with a name that is not ASCII', '$\u00e4$ a $\u00e4$ c', "' a ' c"],
    ['not behind a name', 'a$b$c $b$ d $b$', "a$b$c ' d '"],
    ['not with a digit at its beginning', '$1$a$ $a$ b', "0 ' ' b"],
    ['parameters', 'a=$1::int', 'a = 0 : : int'],
    ['a dollar alone', 'a $ b', 'a $ b'],
    ['blanks of all kinds', 'a\t\n\r\f\vb', 'a b'],
    ['octets above ASCII belong to names', 'a\u00a0b \u0085', 'a\u00a0b \u0085'],
    ['strings that are continued', "'a'\n'b' c", "'a' 'b' c"],
  ])('%s', (_, sql, expected) => {
    expect(shown(sql)).toBe(expected);
  });

  test.each([
    ['a comment that does not end', 'a /* b /* c */'],
    ['a string that does not end', "a 'b"],
    ['one whose end is escaped', "a E'b\\'"],
    ['a name that does not end', 'a "b""'],
    ['a dollar quote that does not end', '$a$ b $b$'],
    ['Unicode escapes in a string', "U&'\\0041'"],
    ['in a name', 'u&"\\0041"'],
    ['a backslash before the quote, which standard_conforming_strings decides about', "'a\\' b'"],
    ['three of them', "'a\\\\\\' b'"],
    ['a backslash that may be half a character', "E'\u0081\\' a'"],
    ['a NUL', 'a \0 b'],
  ])('text that two servers may read differently is unclear: %s', (_, sql) => {
    expect(shown(sql)).toMatch(/^\?/u);
  });

  test('any text is split or unclear, and none throws', () => {
    const soup = fc
      .array(
        fc.constantFrom(
          "'",
          '"',
          '$$',
          '$a$',
          '\\',
          '/*',
          '*/',
          '--',
          '\n',
          '\r',
          ';',
          'E',
          'U&',
          ' ',
          'a',
          '1',
          '\u0081',
          '(',
          '.',
        ),
        { maxLength: 30 },
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.oneof(soup, fc.string({ unit: 'binary' })), (sql) => {
        expect(['tokens', 'unclear']).toContain(lex(sql).kind);
        expect(['allowed', 'refused']).toContain(judgeSql(sql).kind);
      }),
      { numRuns: rounds(2000) },
    );
  });

  test('quoted text and comments are hidden, and everything else shows', () => {
    const quoted = fc
      .oneof(
        fc.string().map((text) => `'${text.replaceAll("'", "''").replaceAll('\\', '')}'`),
        fc.string().map((text) => `$q$${text.replaceAll('$', '')}$q$`),
        fc.string().map((text) => `/*${text.replaceAll(/[*/]/gu, '')}*/`),
        fc.string().map((text) => `--${text.replaceAll(/[\n\r]/gu, '')}\n`),
        fc.string({ minLength: 1 }).map((text) => `"${text.replaceAll('"', '""')}"`),
      )
      .map((text) => Buffer.from(text.replaceAll('\0', '')).toString('latin1'));
    fc.assert(
      fc.property(fc.array(quoted, { maxLength: 8 }), (parts) => {
        const lexed = lex(parts.map((part) => `${part} vacuum `).join(''));
        expect(
          lexed.kind === 'tokens' && lexed.tokens.filter((token) => token.kind === 'word').map(({ value }) => value),
        ).toEqual(parts.map(() => 'vacuum'));
      }),
      { numRuns: rounds(500) },
    );
  });

  test('16 MB of quotes take no time to speak of', () => {
    atMost(10_000, () => {
      expect(shown(`select '${"''".repeat(4_000_000)}${'\\\\'.repeat(2_000_000)}x'`)).toMatch(/^select/u);
      expect(shown(`"${'""'.repeat(4_000_000)}`)).toMatch(/^\?/u);
      expect(shown(`${'/*'.repeat(4_000_000)}`)).toMatch(/^\?/u);
    });
  });
});

describe('a read-only session', () => {
  const texts = readOnlyAttacks.flatMap(({ turns }) =>
    turns.flatMap((turn) => (typeof turn === 'string' ? [turn] : turn.extended)),
  );

  test('accepts reading statements', () => {
    for (const sql of readOnlyUses)
      expect([sql, judgeSql(Buffer.from(sql).toString('latin1'))]).toEqual([
        sql,
        { kind: 'allowed', transactions: expect.any(String) as string },
      ]);
  });

  test('refuses most attacks before the server sees them', () => {
    expect(texts.filter((sql) => judgeSql(sql).kind === 'refused').length).toBeGreaterThan(80);
  });

  test('refuses them in any case, with comments for blanks, and behind another statement', () => {
    for (const sql of texts.filter((text) => judgeSql(text).kind === 'refused' && !text.includes('--'))) {
      for (const variant of [
        sql.toUpperCase(),
        sql.toLowerCase(),
        sql.replaceAll(' ', " /* ' */ "),
        `SELECT 1; ${sql}`,
        `/* */ ; ${sql}`,
        `-- x\r${sql}`,
      ])
        expect([variant, judgeSql(variant).kind]).toEqual([variant, 'refused']);
    }
  });

  test.each([
    ['a setting of the session', 'SET session_replication_role = replica', 'session_replication_role'],
    ['one in quotes', 'SET "Default_Transaction_Read_Only" = off', 'Default_Transaction_Read_Only'],
    ['one of an extension', 'SET search_path.x = 1', 'search_path'],
    ['one that a local setting hides', 'SET LOCAL role = other', 'role'],
    ['a role', 'SET ROLE other', 'role'],
    ['another user', 'SET SESSION AUTHORIZATION other', 'authorization'],
    ['an encoding', "SET client_encoding = 'SJIS'", 'encoding'],
    ['an encoding by its other name', "SET NAMES 'BIG5'", 'encoding'],
    ['an encoding in an escaped string', "SET client_encoding TO E'\\x47BK'", 'encoding'],
    ['an encoding by set_config', "SELECT set_config('client_encoding', 'GBK', false)", 'set_config'],
    ['strings that set_config puts together', "SELECT set_config('jit'\n'x', 'a', false)", 'set_config'],
    [
      'a name with a Turkish I',
      `SELECT set_conf${Buffer.from('\u0130').toString('latin1')}g('transaction_read_only', 'off', true)`,
      'set_config',
    ],
    ['the same in another function', `SELECT PG_ADV\u00ddSORY_LOCK(1)`, 'pg_advisory_lock'],
    ['a function of a schema', 'SELECT "pg_catalog"./* */"lo_unlink" (1)', 'lo_unlink'],
    ['a function in a row', "SELECT * FROM ROWS FROM (dblink_send_query('a', 'b'))", 'dblink_send_query'],
    ['text that is a query', "SELECT ts_stat('SELECT dblink_exec(1)')", 'ts_stat'],
    ['a request by HTTP', "SELECT public.http_post('http://example.com', 'x', 'y')", 'http_post'],
    ['a cursor that writes', 'DECLARE c CURSOR FOR (DELETE FROM t RETURNING *)', 'DELETE'],
    ['a write in a CTE', 'WITH a AS MATERIALIZED (/**/UPDATE t SET a = 1 RETURNING *) SELECT * FROM a', 'UPDATE'],
    ['a table that is made', 'SELECT 1 INTO TEMP t', 'INTO'],
    ['a table that an explanation makes', 'EXPLAIN ANALYZE CREATE TABLE t AS SELECT 1', 'EXPLAIN'],
    ['the same with options', 'EXPLAIN (ANALYZE, COSTS (off)) CREATE TABLE t AS SELECT 1', 'EXPLAIN'],
    ['a view that an explanation refreshes', 'EXPLAIN (ANALYZE true) VERBOSE REFRESH MATERIALIZED VIEW t', 'EXPLAIN'],
    ['an explanation of nothing', 'EXPLAIN (ANALYZE', 'EXPLAIN'],
    ['a table from an explanation', 'EXPLAIN ANALYZE SELECT 1 INTO t', 'INTO'],
    ['a copy from a file', "COPY t FROM '/etc/passwd'", 'COPY'],
    ['a copy of a query to a program', "COPY (SELECT 'TO STDOUT') TO PROGRAM 'x'", 'COPY'],
    ['a copy with a column called to', 'COPY t ("to", stdout) TO \'x\'', 'COPY'],
    ['a copy from, and a list that says TO STDOUT', "COPY t FROM PROGRAM 'x' WHERE a = to stdout", 'COPY'],
    ['a strong lock', 'LOCK TABLE a IN ACCESS EXCLUSIVE MODE', 'LOCK'],
    ['a lock without a mode', 'LOCK a', 'LOCK'],
    ['a lock of a table of that name', 'LOCK in, access, share, mode', 'LOCK'],
    ['a statement behind an end', 'COMMIT; SELECT 1', 'end of a transaction'],
    ['behind a chained one', 'ROLLBACK AND CHAIN; SELECT 1', 'end of a transaction'],
    ['behind one that was prepared', 'EXECUTE c; SELECT 1', 'end of a transaction'],
    ['two-phase commit', "PREPARE TRANSACTION 'x'", 'two-phase'],
    ['its end', "ROLLBACK PREPARED 'x'", 'two-phase'],
    ['a statement that begins with a name', '"select" 1', 'THIS'],
    ['one that begins with a sign', '. SELECT 1', 'THIS'],
    ['one that nobody knows', 'FROBNICATE', 'FROBNICATE'],
  ])('refuses %s, and names the reason', (_, sql, words) => {
    const judgement = judgeSql(sql);
    expect(judgement.kind === 'refused' && judgement.reason).toContain(words);
  });

  test.each([
    ['SELECT 1', 'kept'],
    ['BEGIN', 'changed'],
    ['start transaction', 'changed'],
    ['BEGIN; SELECT 1; COMMIT', 'changed'],
    ['END', 'changed'],
    ['ABORT', 'changed'],
    ['ROLLBACK TO a', 'changed'],
    ['EXECUTE a', 'changed'],
    ['SAVEPOINT a', 'kept'],
    ['', 'kept'],
  ])('knows what %s does to transactions', (sql, transactions) => {
    expect(judgeSql(sql)).toEqual({ kind: 'allowed', transactions });
  });

  test.each([
    'EXPLAIN (SELECT 1)',
    'EXPLAIN ((SELECT 1))',
    'EXPLAIN (ANALYZE, FORMAT json) (SELECT 1)',
    'EXPLAIN VERBOSE DELETE FROM t',
    'EXPLAIN (COSTS off) WITH a AS (SELECT 1) TABLE a',
    'ROLLBACK TO SAVEPOINT a; SELECT 1',
    'ROLLBACK WORK TO a; SELECT 1',
    'BEGIN; ROLLBACK TO a; COMMIT',
    'SELECT http_status, exec FROM t',
    'SELECT (SELECT 1)',
  ])('takes %s', (sql) => {
    expect(judgeSql(sql).kind).toBe('allowed');
  });
});

test('encodings in which an octet of ASCII may be half a character are not safe', () => {
  for (const name of ['UTF8', 'utf-8', 'Unicode', 'SQL_ASCII', 'LATIN1', 'iso_8859-1', 'WIN1252', 'EUC_JP'])
    expect(isSafeEncoding(name)).toBe(true);
  for (const name of ['GBK', 'GB18030', 'BIG5', 'SJIS', 'Shift_JIS', 'UHC', 'JOHAB', 'SHIFT_JIS_2004', ''])
    expect(isSafeEncoding(name)).toBe(false);
});
