import { deniedFunction, spellingsOf } from './functions.ts';
import { lex, type Token } from './lex.ts';
import { isSafeEncoding, settings } from './settings.ts';

/** Decision of a read-only session about an SQL text. */
export type SqlJudgement =
  /** `transactions`: whether one of its statements begins or ends a transaction. */
  | { readonly kind: 'allowed'; readonly transactions: 'kept' | 'changed' }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * Decides whether a read-only session may send a text. This is one of three parts. The server refuses writes in a
 * read-only transaction. The broker makes every transaction read-only. This function refuses text that would undo
 * either, or has effects nevertheless.
 *
 * It cannot see further effects of the database's functions, such as running a text or connecting elsewhere. A role
 * should have only the functions that it needs. `sql` has one character for each octet (latin1).
 */
export function judgeSql(sql: string): SqlJudgement {
  if (wellKnown.has(sql)) return { kind: 'allowed', transactions: 'kept' };
  const lexed = lex(sql);
  if (lexed.kind === 'unclear') return refused(`the statement is ambiguous: ${lexed.reason}`);
  const statements = split(lexed.tokens);
  for (const [index, tokens] of statements.entries()) {
    const reason = reasonAgainst(tokens, index === statements.length - 1);
    if (reason !== undefined) return refused(reason);
  }
  return { kind: 'allowed', transactions: statements.some(changesTransactions) ? 'changed' : 'kept' };
}

/** Texts that are allowed although they resemble forbidden ones. */
const wellKnown: ReadonlySet<string> = new Set([
  // Sent by pg_dump since 2024 (CVE-2024-7348). It makes pg_dump's own session stricter.
  "SELECT set_config(name, 'view, foreign-table', false) FROM pg_settings WHERE name = 'restrict_nonsystem_relation_kind'",
]);

type Statement = readonly Token[];
type Rule = (statement: Statement) => string | undefined;

function refused(reason: string): SqlJudgement {
  return { kind: 'refused', reason };
}

function split(tokens: readonly Token[]): readonly Statement[] {
  const statements: Token[][] = [[]];
  for (const token of tokens) {
    if (isSign(token, ';')) statements.push([]);
    else statements.at(-1)?.push(token);
  }
  return statements.filter((statement) => statement.length > 0);
}

function reasonAgainst(statement: Statement, isLast: boolean): string | undefined {
  const leading = isSign(statement[0], '(') ? 'select' : word(statement[0]);
  const rule = leading === undefined ? undefined : rules.get(leading);
  if (rule === undefined) return `a read-only session may not use ${(leading ?? 'this').toUpperCase()}`;
  // A transaction that begins inside the text uses the default that an earlier function call may have changed.
  if (!isLast && endsTransaction(statement)) return 'nothing may follow the end of a transaction in the same message';
  return rule(statement) ?? functionsIn(statement) ?? writesIn(statement);
}

const fine: Rule = () => undefined;

const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ...[
    'select',
    'values',
    'table',
    'with',
    'show',
    'savepoint',
    'release',
    'declare',
    'fetch',
    'move',
    'close',
    'execute',
    'deallocate',
    'listen',
    'unlisten',
  ].map((name) => [name, fine] as const),
  ...['begin', 'start'].map((name) => [name, notWritable] as const),
  ...['commit', 'end', 'rollback', 'abort', 'prepare'].map((name) => [name, notTwoPhase] as const),
  ['explain', explained],
  ['set', setting],
  ['reset', (statement) => (word(statement[1]) === 'all' ? undefined : settingAt(statement, 1))],
  ['copy', (statement) => (copiesToClient(statement) ? undefined : 'COPY may only go TO STDOUT')],
  [
    'lock',
    (statement) =>
      endsWith(statement, ['in', 'access', 'share', 'mode']) ||
      endsWith(statement, ['in', 'access', 'share', 'mode', 'nowait'])
        ? undefined
        : 'LOCK may only take IN ACCESS SHARE MODE',
  ],
]);

function notWritable(statement: Statement): string | undefined {
  return statement.some((token) => word(token) === 'write') ? 'a transaction may not be READ WRITE' : undefined;
}

/** Statements allowed after EXPLAIN. For writes, the server returns the plan and refuses to run it. */
const explainable: ReadonlySet<string> = new Set([
  'select',
  'values',
  'table',
  'with',
  'insert',
  'update',
  'delete',
  'merge',
  'execute',
  'declare',
]);

/** `EXPLAIN ANALYZE CREATE TABLE … AS` creates a table even in a read-only transaction. */
function explained(statement: Statement): string | undefined {
  const isQuery = (at: number): boolean => isSign(statement[at], '(') || explainable.has(word(statement[at]) ?? '');
  let at = 1;
  if (isSign(statement[1], '(') && !isQuery(2)) at = depthsOf(statement).indexOf(0, 1) + 1;
  while (['analyze', 'analyse', 'verbose'].includes(word(statement[at]) ?? '')) at += 1;
  return isQuery(at) ? undefined : 'EXPLAIN may only be used with a query';
}

/** `PREPARE TRANSACTION`, `COMMIT PREPARED`. */
function notTwoPhase(statement: Statement): string | undefined {
  const next = word(statement[1]);
  const isTwoPhase = next === 'prepared' || (next === 'transaction' && word(statement[0]) === 'prepare');
  return isTwoPhase ? 'two-phase commit is not allowed in a read-only session' : undefined;
}

/** `SET [SESSION | LOCAL] name`, and the forms with their own keywords. */
function setting(statement: Statement): string | undefined {
  const next = word(statement[1]);
  const at = (next === 'session' || next === 'local') && statement.length > 2 ? 2 : 1;
  const name = word(statement[at]);
  const after = word(statement[at + 1]);
  if (name === 'transaction') return notWritable(statement);
  if (name === 'characteristics' && after === 'as') return notWritable(statement);
  if (name === 'time' && after === 'zone') return undefined;
  if (name === 'names') return encodingAt(statement, at + 1);
  return (
    settingAt(statement, at) ??
    (nameOf(statement[at]) === 'client_encoding' ? encodingAt(statement, at + 2) : undefined)
  );
}

function settingAt(statement: Statement, at: number): string | undefined {
  const name = nameOf(statement[at]);
  // A dot after the name would make it the setting of an extension.
  if (name !== undefined && settings.has(name.toLowerCase()) && !isSign(statement[at + 1], '.')) return undefined;
  return `a read-only session may not change ${name === undefined ? 'this setting' : `the setting "${name}"`}`;
}

function encodingAt(statement: Statement, at: number): string | undefined {
  const token = statement[at];
  if (token === undefined || word(token) === 'default') return undefined;
  return 'value' in token && isSafeEncoding(token.value)
    ? undefined
    : 'a read-only session needs a client encoding that contains ASCII: UTF8';
}

function copiesToClient(statement: Statement): boolean {
  const depths = depthsOf(statement);
  const to = statement.findIndex((token, index) => depths[index] === 0 && word(token) === 'to');
  const hasFrom = statement.some((token, index) => depths[index] === 0 && word(token) === 'from');
  return to > 0 && !hasFrom && word(statement[to + 1]) === 'stdout';
}

/** Returns the number of open parentheses at each token. */
function depthsOf(statement: Statement): readonly number[] {
  let depth = 0;
  return statement.map((token) => {
    if (isSign(token, '(')) depth += 1;
    if (isSign(token, ')')) depth -= 1;
    return depth;
  });
}

function functionsIn(statement: Statement): string | undefined {
  for (const [index, token] of statement.entries()) {
    const name = nameOf(token);
    if (name === undefined) continue;
    if (spellingsOf(name).includes('set_config') && !setsAllowed(statement, index))
      return 'set_config may only be called with the name of a harmless setting, as a string';
    const found = deniedFunction(name, isSign(statement[index + 1], '('));
    if (found !== undefined) return `the function ${found} has effects that a read-only transaction does not prevent`;
  }
  return undefined;
}

/** Allows `set_config('search_path', …` with a harmless setting, as ORMs and pg_dump send it. */
function setsAllowed(statement: Statement, at: number): boolean {
  const [open, name, comma] = statement.slice(at + 1, at + 4);
  return (
    isSign(open, '(') &&
    name?.kind === 'string' &&
    settings.has(name.value) &&
    name.value !== 'client_encoding' &&
    isSign(comma, ',')
  );
}

const writes: ReadonlySet<string> = new Set(['insert', 'update', 'delete', 'merge']);

/** Finds writes inside a `WITH` or an `EXPLAIN`, and `SELECT INTO`. The server would refuse them too. */
function writesIn(statement: Statement): string | undefined {
  for (const [index, token] of statement.entries()) {
    const value = word(token);
    if (value === 'into') return 'INTO writes';
    if (value !== undefined && writes.has(value) && isSign(statement[index - 1], '('))
      return `${value.toUpperCase()} writes`;
  }
  return undefined;
}

const beginsOrEnds: ReadonlySet<string> = new Set(['begin', 'start', 'commit', 'end', 'rollback', 'abort', 'execute']);

/** `EXECUTE` may run a statement that an earlier message prepared, so its effect is unknown here. */
function changesTransactions(statement: Statement): boolean {
  return beginsOrEnds.has(word(statement[0]) ?? '');
}

function endsTransaction(statement: Statement): boolean {
  return (
    changesTransactions(statement) && !['begin', 'start'].includes(word(statement[0]) ?? '') && !isRollbackTo(statement)
  );
}

/** `ROLLBACK [WORK | TRANSACTION] TO …` keeps the transaction. */
function isRollbackTo(statement: Statement): boolean {
  const after = ['work', 'transaction'].includes(word(statement[1]) ?? '') ? 2 : 1;
  return word(statement[0]) === 'rollback' && word(statement[after]) === 'to';
}

function endsWith(statement: Statement, words: readonly string[]): boolean {
  const tail = statement.slice(-words.length);
  return tail.length === words.length && tail.every((token, index) => word(token) === words[index]);
}

function isSign(token: Token | undefined, value: string): boolean {
  return token?.kind === 'sign' && token.value === value;
}

function word(token: Token | undefined): string | undefined {
  return token?.kind === 'word' ? token.value : undefined;
}

/** Returns the name of an identifier, quoted or not. */
function nameOf(token: Token | undefined): string | undefined {
  return token?.kind === 'word' || token?.kind === 'name' ? token.value : undefined;
}
