/**
 * Attempts to write, or to have another effect, in a read-only session. Data: tests and attacks run them against a real
 * server.
 */
export interface ReadOnlyAttack {
  readonly name: string;
  /** In turn in one session. Errors do not end it. */
  readonly turns: readonly AttackTurn[];
}

/**
 * A simple query, or statements of the extended protocol up to one `Sync`. `$OUT` is a directory of the server, `$PORT`
 * its port.
 */
export type AttackTurn = string | { readonly extended: readonly string[] };

const flip = "SELECT public.assign('default_transaction_read_only', 'off')";
const write = 'SELECT public.write_row()';
const insert = "INSERT INTO public.accounts VALUES (100 + (random() * 1000000)::int, 'written')";

export const readOnlyAttacks: readonly ReadOnlyAttack[] = [
  { name: 'insert', turns: [insert] },
  { name: 'update', turns: ["UPDATE public.accounts SET owner = 'written'"] },
  { name: 'delete', turns: ['DELETE FROM public.accounts'] },
  { name: 'truncate', turns: ['TRUNCATE public.accounts'] },
  { name: 'insert in the extended protocol', turns: [{ extended: [insert] }] },
  { name: 'create table', turns: ['CREATE TABLE public.made (a int)'] },
  { name: 'create table as', turns: ['CREATE TABLE public.made AS SELECT 1'] },
  { name: 'select into', turns: ['SELECT 1 AS a INTO public.made'] },
  { name: 'drop', turns: ['DROP TABLE public.accounts'] },
  { name: 'alter', turns: ['ALTER TABLE public.accounts SET (fillfactor = 50)'] },
  { name: 'grant', turns: ['GRANT ALL ON public.accounts TO PUBLIC'] },
  { name: 'comment', turns: ["COMMENT ON TABLE public.accounts IS 'written'"] },
  { name: 'nextval', turns: ["SELECT nextval('public.numbers')"] },
  { name: 'setval', turns: ["SELECT setval('public.numbers', 77)"] },
  { name: 'a writing function', turns: [write] },
  { name: 'a writing function in SQL', turns: ['SELECT public.write_sql()'] },
  { name: 'a writing view', turns: ['SELECT * FROM public.writing'] },
  { name: 'a writing operator', turns: ['SELECT OPERATOR(public.!!!) 1'] },
  { name: 'a writing CTE', turns: [`WITH w AS (${insert} RETURNING id) SELECT * FROM w`] },
  { name: 'explain analyze', turns: [`EXPLAIN ANALYZE ${insert}`] },
  { name: 'explain analyze of a function', turns: [`EXPLAIN (ANALYZE, COSTS OFF) ${write}`] },
  { name: 'explain analyze of create table as', turns: ['EXPLAIN ANALYZE CREATE TABLE public.made AS SELECT 1'] },
  { name: 'the same with options', turns: ['EXPLAIN (ANALYZE, COSTS off) CREATE TABLE public.made_too AS SELECT 1'] },
  { name: 'a delete behind a CTE', turns: ['WITH a AS (SELECT 1 AS id) DELETE FROM public.accounts USING a'] },
  { name: 'prepare and execute', turns: [`PREPARE w AS ${insert}`, 'EXECUTE w'] },
  { name: 'a cursor', turns: [`BEGIN; DECLARE c CURSOR FOR ${write}; FETCH c; COMMIT`] },
  { name: 'copy from', turns: ["COPY public.accounts FROM PROGRAM 'echo 9,written' WITH (FORMAT csv)"] },
  { name: 'copy to a program', turns: ["COPY (SELECT 1) TO PROGRAM 'touch $OUT/program'"] },
  { name: 'copy to a file', turns: ["COPY (SELECT 1) TO '$OUT/file'"] },
  {
    name: 'copy to a program, with a table called stdout',
    turns: ["COPY (SELECT 1 AS stdout) TO/**/PROGRAM 'touch $OUT/stdout'"],
  },
  { name: 'copy behind a comment', turns: ["SELECT 1; /* */ COPY (SELECT 1) TO PROGRAM 'touch $OUT/comment'"] },
  {
    name: 'copy from a program in a nested comment',
    turns: ["/* /* */ */ COPY (SELECT 1) TO PROGRAM 'touch $OUT/nested' /* */"],
  },
  {
    name: 'a carriage return ends a comment',
    turns: [
      `SELECT 1 -- \r; SET transaction_read_only = off; ${insert}`,
      "SELECT 1 -- \r; COPY (SELECT 1) TO PROGRAM 'touch $OUT/return'",
    ],
  },
  { name: 'the session default, set', turns: ['SET default_transaction_read_only = off', insert] },
  { name: 'the session default, set to its default', turns: ['SET default_transaction_read_only TO DEFAULT', insert] },
  { name: 'the session default, reset', turns: ['RESET default_transaction_read_only', insert] },
  { name: 'session characteristics', turns: ['SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE', insert] },
  {
    name: 'session characteristics in comments',
    turns: ['SET/**/SESSION/**/CHARACTERISTICS/**/AS/**/TRANSACTION/**/READ/**/WRITE', insert],
  },
  { name: 'discard all', turns: ['DISCARD ALL', insert] },
  { name: 'reset all, then a function', turns: ['RESET ALL', write] },
  { name: 'begin read write', turns: ['BEGIN READ WRITE', insert, 'COMMIT'] },
  {
    name: 'start transaction, with words between',
    turns: ['START TRANSACTION ISOLATION LEVEL SERIALIZABLE, READ/*-*/WRITE', insert, 'COMMIT'],
  },
  { name: 'begin, then read write', turns: ['BEGIN', 'SET TRANSACTION READ WRITE', insert, 'COMMIT'] },
  { name: 'begin, then the setting', turns: ['BEGIN', 'SET transaction_read_only = off', insert, 'COMMIT'] },
  {
    name: 'begin, then the quoted setting',
    turns: ['BEGIN', 'SET LOCAL "transaction_read_only" TO off', insert, 'COMMIT'],
  },
  { name: 'begin, then reset', turns: ['BEGIN', 'RESET transaction_read_only', insert, 'COMMIT'] },
  { name: 'all in one message', turns: [`BEGIN READ WRITE; ${insert}; COMMIT`] },
  { name: 'set_config', turns: ["SELECT set_config('default_transaction_read_only', 'off', false)", write] },
  {
    name: 'set_config with Unicode escapes',
    turns: [`SELECT U&"set\\005Fconfig"('default_transaction_read_only', 'off', false)`, write],
  },
  {
    name: 'set_config, quoted and qualified',
    turns: [`SELECT "pg_catalog" . "set_config" ('transaction_read_only', 'off', true), public.write_row()`],
  },
  {
    name: 'set_config of a computed name',
    turns: ["SELECT set_config('default_transaction' || '_read_only', 'off', false)", write],
  },
  {
    name: 'an update of pg_settings',
    turns: ["UPDATE pg_settings SET setting = 'off' WHERE name = 'default_transaction_read_only'", write],
  },
  { name: 'a function sets the default', turns: [flip, write] },
  { name: 'a function sets the default, and a statement follows', turns: [`${flip}; ${write}`] },
  { name: 'a function sets the default, and a commit follows', turns: [`${flip}; COMMIT; ${write}`] },
  {
    name: 'a function sets the default, and a commit and a write follow',
    turns: [`${flip}; COMMIT AND CHAIN; ${insert}; COMMIT`],
  },
  {
    name: 'a function sets the default, and a rollback follows in a batch',
    turns: [flip, { extended: [flip, 'ROLLBACK', write] }],
  },
  {
    name: 'a function sets the default, and a commit follows in a batch',
    turns: [{ extended: [flip, 'COMMIT', write] }],
  },
  {
    name: 'begin and commit in a batch',
    turns: [{ extended: ['BEGIN', flip, 'COMMIT', write, 'BEGIN', write, 'COMMIT'] }],
  },
  { name: 'a function sets the transaction', turns: ['SELECT public.flip_and_write()'] },
  {
    name: 'a function sets the transaction before another writes',
    turns: [
      "SELECT public.assign_local('transaction_read_only', 'off')",
      write,
      "BEGIN; SELECT public.assign_local('transaction_read_only', 'off'); SELECT public.write_row(); COMMIT",
    ],
  },
  { name: 'a savepoint is undone', turns: [flip, 'BEGIN; SAVEPOINT s', `ROLLBACK TO s; ${write}`, 'COMMIT'] },
  { name: 'a function runs a set', turns: ["SELECT public.run('SET default_transaction_read_only = off')", write] },
  {
    name: 'a function sets strings to be escaped',
    turns: [
      "SELECT public.assign('standard_conforming_strings', 'off')",
      `SELECT '\\'; SET default_transaction_read_only = off; --'`,
      write,
    ],
  },
  {
    name: 'a function sets the encoding',
    turns: [
      "SELECT public.assign('client_encoding', 'GBK')",
      `SELECT E'\u0081\\'; SET default_transaction_read_only = off; --'`,
      write,
    ],
  },
  {
    name: 'a short time limit',
    turns: [
      "SELECT public.assign('default_transaction_read_only', 'off'), public.assign('statement_timeout', '1')",
      write,
      write,
      write,
    ],
  },
  {
    name: 'a commit that was prepared',
    turns: [{ extended: [flip] }, `PREPARE c AS SELECT 1`, `${flip}; EXECUTE c; ${write}`],
  },
  { name: 'a procedure that commits', turns: ['CALL public.commit_and_write()'] },
  {
    name: 'a block that commits',
    turns: [`DO $$ BEGIN PERFORM public.assign('default_transaction_read_only', 'off'); COMMIT; ${insert}; END $$`],
  },
  {
    name: 'a block in a dollar quote with a name',
    turns: [`DO LANGUAGE plpgsql $_x1$ BEGIN PERFORM public.write_row(); END $_x1$`],
  },
  {
    name: 'dblink',
    turns: [
      "SELECT dblink_exec('host=127.0.0.1 port=$PORT dbname=postgres user=other password=other-EXAMPLE', 'INSERT INTO public.accounts VALUES (9, ''written'')')",
    ],
  },
  {
    name: 'dblink, quoted',
    turns: [
      `SELECT * FROM "public"."dblink"('host=127.0.0.1 port=$PORT dbname=postgres user=other password=other-EXAMPLE', 'INSERT INTO public.accounts VALUES (9, ''written'') RETURNING id') AS t(id int)`,
    ],
  },
  {
    name: 'dblink in a text that is run',
    turns: [
      "SELECT query_to_xml('SELECT dblink_exec(''host=127.0.0.1 port=$PORT dbname=postgres user=other password=other-EXAMPLE'', ''DELETE FROM public.accounts'')', true, true, '')",
    ],
  },
  {
    name: 'dblink in a crosstab',
    turns: [
      "SELECT * FROM crosstab('SELECT dblink_exec(''host=127.0.0.1 port=$PORT dbname=postgres user=other password=other-EXAMPLE'', ''DELETE FROM public.accounts''), ''a''::text, ''b''::text') AS t(a text, b text)",
    ],
  },
  { name: 'a large object', turns: ['SELECT lo_create(0)'] },
  { name: 'a large object from bytes', turns: ["SELECT lo_from_bytea(0, 'written')"] },
  { name: 'a large object in capitals', turns: ['SELECT PG_CATALOG.LO_CREAT(-1)'] },
  {
    name: 'a large object, written',
    turns: ['BEGIN; SELECT lowrite(lo_open(lo_create(4711), 131072), $$written$$); COMMIT'],
  },
  { name: 'a message to the log of writes', turns: ["SELECT pg_logical_emit_message(false, 'written', 'written')"] },
  { name: 'an advisory lock', turns: ['SELECT pg_advisory_lock(4711)'] },
  {
    name: 'another session is ended',
    turns: ["SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'bystander'"],
  },
  { name: 'vacuum', turns: ['VACUUM public.accounts'] },
  { name: 'lock', turns: ['BEGIN; LOCK TABLE public.accounts IN ACCESS EXCLUSIVE MODE; COMMIT'] },
  { name: 'for update', turns: ['SELECT * FROM public.accounts FOR UPDATE'] },
  {
    name: 'a temporary table, then more',
    turns: ['CREATE TEMP TABLE pg_temp.x (a int)', 'SET ROLE pg_write_server_files'],
  },
  { name: 'another role', turns: ['SET SESSION AUTHORIZATION other', insert] },
  { name: 'role settings', turns: ['ALTER ROLE app SET default_transaction_read_only = off'] },
  { name: 'two-phase commit', turns: [`BEGIN; ${write}; PREPARE TRANSACTION 'x'`, "COMMIT PREPARED 'x'"] },
  { name: 'notify', turns: ["NOTIFY channel, 'written'", "SELECT pg_notify('channel', 'written')"] },
  { name: 'a listener of all', turns: [`LISTEN channel; ${insert}`] },
  {
    name: 'merge',
    turns: [
      "MERGE INTO public.accounts a USING (SELECT 1 AS id) s ON a.id = s.id WHEN MATCHED THEN UPDATE SET owner = 'written'",
    ],
  },
  {
    name: 'security label and import',
    turns: [
      "SECURITY LABEL ON TABLE public.accounts IS 'x'",
      'IMPORT FOREIGN SCHEMA public FROM SERVER x INTO public',
      'REFRESH MATERIALIZED VIEW public.x',
      'REINDEX TABLE public.accounts',
      'CLUSTER',
      'CHECKPOINT',
      'LOAD $$x$$',
    ],
  },
];

/** The uses of a read-only session: each has to work. */
export const readOnlyUses: readonly string[] = [
  'SELECT 1',
  'select count(*) from public.accounts',
  'TABLE public.accounts',
  'VALUES (1), (2)',
  "WITH a AS (SELECT * FROM public.accounts) SELECT * FROM a WHERE owner LIKE '%a'",
  '(SELECT 1) UNION ALL (SELECT 2)',
  'SHOW server_version',
  'EXPLAIN ANALYZE SELECT * FROM public.accounts',
  "SELECT E'it''s \\'quoted\\'', $$dollar ; quoted$$, $tag$ ' $tag$",
  "SELECT 'C:\\dir\\file', '\\d+'",
  '/* a /* nested */ comment */ SELECT 1 -- and a line',
  'BEGIN; SELECT 1; COMMIT',
  'BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT 1; ROLLBACK',
  'BEGIN; SAVEPOINT a; SELECT 1; ROLLBACK TO SAVEPOINT a; RELEASE a; COMMIT',
  'BEGIN; DECLARE c CURSOR FOR SELECT * FROM public.accounts; FETCH 1 FROM c; MOVE 1 IN c; CLOSE c; COMMIT',
  'PREPARE p(int) AS SELECT * FROM public.accounts WHERE id = $1',
  'EXECUTE p(1)',
  'DEALLOCATE p',
  'DEALLOCATE ALL',
  'SET search_path = public, pg_catalog',
  "SET TIME ZONE 'UTC'",
  "SET client_encoding TO 'UTF8'",
  "SET NAMES 'UTF8'",
  "SET statement_timeout = '5s'",
  'SET LOCAL lock_timeout = 0',
  "SET SESSION application_name = 'x'",
  'SET TRANSACTION ISOLATION LEVEL SERIALIZABLE',
  'SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY',
  "SELECT pg_catalog.set_config('search_path', '', false)",
  "SELECT set_config('jit', 'off', false)",
  'RESET ALL',
  'RESET search_path',
  'LISTEN channel',
  'UNLISTEN *',
  'SELECT pg_advisory_unlock_all()',
  'BEGIN; LOCK TABLE public.accounts IN ACCESS SHARE MODE; COMMIT',
  'SELECT pg_sleep(0)',
  'SELECT now(), current_user, version(), pg_backend_pid()',
  'SELECT relname FROM pg_class LIMIT 1',
  'SELECT count(*) FROM information_schema.columns',
  '',
  ';',
  ' ; -- nothing',
  'SELECT 1 AS "insert", 2 AS update',
  'COPY public.accounts TO STDOUT',
  'COPY (SELECT * FROM public.accounts) TO STDOUT WITH (FORMAT csv, HEADER)',
];
