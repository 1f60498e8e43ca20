import { describe, expect, test } from 'vitest';
import type { TransactionStatus } from '../protocol/types.ts';
import { type Awaited, createTurns, StatementLedger, type Turns } from './ledger.ts';
import { createPreparedNames } from './client-side.ts';
import { createCapCounter } from './server-side.ts';

function kept(): { readonly ledger: StatementLedger; readonly ended: string[]; readonly refused: string[] } {
  const ended: string[] = [];
  const refused: string[] = [];
  const ledger = new StatementLedger({
    ended: (text, outcome) => void ended.push(`${text}: ${outcome}`),
    refused: ({ ending }, status) => void refused.push(`${ending} ${status}`),
  });
  return { ledger, ended, refused };
}

const query = (text: string): Awaited => ({ kind: 'query', text });
const extended = (text: string): readonly Awaited[] => [
  { kind: 'parse', text },
  { kind: 'bind', text },
  { kind: 'execute', text },
];
const sync: Awaited = { kind: 'sync' };
const refusal = (ending: 'ready' | 'sync'): Awaited => ({ kind: 'refused', ending, error: Buffer.alloc(0) });

describe('the journal has', () => {
  test('a simple query with the tags of its statements', () => {
    const { ledger, ended } = kept();
    ledger.add(query('a; b'));
    ledger.noted('INSERT 0 1');
    ledger.noted('SELECT 2');
    ledger.ready('T');
    expect([ended, ledger.status, ledger.isEmpty]).toEqual([['a; b: INSERT 0 1, SELECT 2'], 'T', true]);
  });

  test('no more than a few of them', () => {
    const { ledger, ended } = kept();
    ledger.add(query('many'));
    for (let count = 0; count < 1000; count += 1) ledger.noted('SELECT 1');
    ledger.ready('I');
    expect(ended[0]).toBe(`many: ${Array.from({ length: 8 }, () => 'SELECT 1').join(', ')}`);
  });

  test('each execution, but no mere preparation', () => {
    const { ledger, ended } = kept();
    for (const entry of [...extended('a'), sync]) ledger.add(entry);
    ledger.answered();
    ledger.answered();
    ledger.answered('SELECT 1');
    ledger.ready('I');
    expect(ended).toEqual(['a: SELECT 1']);
  });

  test.each([
    ['parsing', 0, ['a: ERROR 42601']],
    ['binding', 1, ['a: ERROR 42601']],
    ['running', 2, ['a: ERROR 42601']],
  ])('the statement with a failed %s; later ones are skipped up to the Sync', (_, answers, expected) => {
    const { ledger, ended } = kept();
    for (const entry of [...extended('a'), ...extended('b'), query('skipped too'), sync, ...extended('c'), sync])
      ledger.add(entry);
    for (let count = 0; count < answers; count += 1) ledger.answered();
    ledger.failed('ERROR 42601');
    expect(ledger.head).toEqual(sync);
    ledger.ready('I');
    expect(ended).toEqual(expected);
    expect(ledger.head).toEqual({ kind: 'parse', text: 'c' });
  });

  test('unanswered statements, when the connection ends', () => {
    const { ledger, ended } = kept();
    for (const entry of [query('a'), ...extended('b'), sync]) ledger.add(entry);
    ledger.close();
    expect(ended).toEqual(['a: NO ANSWER', 'b: NO ANSWER']);
    expect(ledger.isEmpty).toBe(true);
  });

  test('an empty query', () => {
    const { ledger, ended } = kept();
    ledger.add(query(''));
    ledger.ready('I');
    expect(ended).toEqual([': EMPTY QUERY']);
  });
});

describe('a refusal has its turn', () => {
  test('at once when nothing is on its way', () => {
    const { ledger, refused } = kept();
    ledger.add(refusal('ready'));
    expect([refused, ledger.isEmpty]).toEqual([['ready I'], true]);
  });

  test('when all before it has been answered, with the state of then', () => {
    const { ledger, refused } = kept();
    for (const entry of [query('begin'), refusal('ready'), query('b')]) ledger.add(entry);
    expect(refused).toEqual([]);
    ledger.ready('T');
    expect(refused).toEqual(['ready T']);
    expect(ledger.head).toEqual(query('b'));
  });

  test('never, when the server skips it after an error of its own', () => {
    const { ledger, refused } = kept();
    for (const entry of [...extended('a'), refusal('sync'), sync]) ledger.add(entry);
    ledger.failed('ERROR 22012');
    ledger.ready('I');
    expect([refused, ledger.isEmpty]).toEqual([[], true]);
  });
});

describe('data that is copied in', () => {
  test('a Sync in the midst of it has no answer', () => {
    const { ledger, ended } = kept();
    for (const entry of [...extended('copy'), sync]) ledger.add(entry);
    ledger.answered();
    ledger.answered();
    ledger.copiesIn();
    ledger.add(sync);
    ledger.add({ kind: 'copy-end' });
    ledger.add(sync);
    ledger.add(query('next'));
    ledger.answered('COPY 1');
    ledger.ready('I');
    expect([ended, ledger.head]).toEqual([['copy: COPY 1'], query('next')]);
  });

  test('one behind the end of it has one, also when all was sent at once', () => {
    const { ledger } = kept();
    for (const entry of [...extended('copy'), sync, { kind: 'copy-end' } as const, sync]) ledger.add(entry);
    ledger.answered();
    ledger.answered();
    ledger.copiesIn();
    ledger.answered('COPY 1');
    ledger.ready('I');
    expect(ledger.isEmpty).toBe(true);
  });
});

test('a pipeline of any length is followed', () => {
  const { ledger, ended } = kept();
  for (let count = 0; count < 5000; count += 1)
    for (const entry of [...extended(String(count)), sync]) ledger.add(entry);
  expect(ledger.length).toBe(20_000);
  for (let count = 0; count < 5000; count += 1) {
    ledger.answered();
    ledger.answered();
    ledger.answered('SELECT 1');
    ledger.ready('I');
  }
  expect([ended.length, ended[4999], ledger.isEmpty]).toEqual([5000, '4999: SELECT 1', true]);
});

test('unexpected answers change nothing', () => {
  const { ledger, ended } = kept();
  ledger.answered('SELECT 1');
  ledger.failed('ERROR 57P01');
  ledger.copiesIn();
  ledger.ready('I');
  expect([ended, ledger.isEmpty]).toEqual([[], true]);
});

interface State {
  status: TransactionStatus;
  isEmpty: boolean;
  isPaused: boolean;
}

function turnsOf(mode: 'read-write' | 'read-only'): { readonly turns: Turns; readonly state: State } {
  const state: State = { status: 'I', isEmpty: true, isPaused: false };
  return { turns: createTurns({ ledger: state, mode, isPaused: () => state.isPaused }), state };
}

describe('a read-only session asserts itself', () => {
  test('before the first message of each turn, once', () => {
    const { turns } = turnsOf('read-only');
    expect([turns.next(), turns.next(), turns.next()]).toEqual(['assert', 'go', 'go']);
    turns.ends('kept');
    expect(turns.next()).toBe('assert');
  });

  test.each(['T', 'E'] as const)('not within a transaction (%s)', (status) => {
    const { turns, state } = turnsOf('read-only');
    state.status = status;
    expect(turns.next()).toBe('go');
  });

  test('behind every statement that may have ended a transaction, when more follows in the turn', () => {
    const { turns, state } = turnsOf('read-only');
    state.status = 'T';
    expect(turns.next()).toBe('go');
    turns.runs('kept');
    expect(turns.next()).toBe('go');
    turns.runs('changed');
    expect([turns.next(), turns.next()]).toEqual(['assert', 'go']);
    turns.runs('changed');
    expect(turns.next()).toBe('assert');
  });

  test('not while it is unknown in which state the turn begins: that waits', () => {
    const { turns, state } = turnsOf('read-only');
    turns.next();
    state.isEmpty = false;
    turns.ends('changed');
    expect([turns.next(), turns.next()]).toEqual(['wait', 'wait']);
    state.isEmpty = true;
    state.status = 'T';
    expect(turns.next()).toBe('go');
    turns.ends('kept');
    state.isEmpty = false;
    expect(turns.next()).toBe('go');
  });

  test('and turns that change no transaction do not wait for each other', () => {
    const { turns, state } = turnsOf('read-only');
    state.isEmpty = false;
    for (let count = 0; count < 5; count += 1) {
      expect(turns.next()).toBe('assert');
      turns.ends('kept');
    }
  });

  test('a turn of the extended protocol that changed transactions makes the next one wait', () => {
    const { turns, state } = turnsOf('read-only');
    turns.next();
    state.isEmpty = false;
    turns.runs('changed');
    turns.ends('kept');
    expect(turns.next()).toBe('wait');
  });
});

test('a read-write session asserts nothing and waits for nothing but a cancel request', () => {
  const { turns, state } = turnsOf('read-write');
  state.isEmpty = false;
  expect(turns.next()).toBe('go');
  turns.runs('changed');
  state.isPaused = true;
  expect(turns.next()).toBe('go');
  turns.ends('changed');
  expect(turns.next()).toBe('wait');
  state.isPaused = false;
  expect(turns.next()).toBe('go');
});

describe('names of statements', () => {
  const kept = { text: 'select 1', transactions: 'kept' } as const;
  const changed = { text: 'commit', transactions: 'changed' } as const;

  test('lead from portals to their statements', () => {
    const names = createPreparedNames();
    names.parsed('s', kept);
    expect(names.bound('p', 's')).toEqual(kept);
    expect(names.portal('p')).toEqual(kept);
  });

  test('that are not known may end a transaction', () => {
    const names = createPreparedNames();
    for (const name of ['never', undefined]) expect(names.portal(name).transactions).toBe('changed');
    expect(names.bound('p', undefined).transactions).toBe('changed');
    expect(names.portal('p').transactions).toBe('changed');
  });

  test('once of a statement that ends transactions are so for good', () => {
    const names = createPreparedNames();
    names.parsed('s', changed);
    names.parsed('s', kept);
    expect(names.bound('', 's')).toEqual({ text: 'select 1', transactions: 'changed' });
    names.parsed('t', kept);
    expect(names.bound('', 't').transactions).toBe('kept');
    expect(names.portal('').transactions).toBe('changed');
  });

  test.each([
    ['too long', 'x'.repeat(64)],
    ['not ASCII', 'n\u00e4me'],
  ])('that are %s are not remembered: the server may take two of them for one', (_, name) => {
    const names = createPreparedNames();
    names.parsed(name, kept);
    expect(names.bound('p', name).transactions).toBe('changed');
    names.parsed('s', kept);
    names.bound(name, 's');
    expect(names.portal(name).transactions).toBe('changed');
  });

  test('are forgotten when there are too many, to the safe side', () => {
    const names = createPreparedNames();
    names.parsed('first', kept);
    for (let count = 0; count < 5000; count += 1) names.parsed(`s${count}`, kept);
    expect(names.bound('p', 'first').transactions).toBe('changed');
    expect(names.bound('p', 's4999').transactions).toBe('kept');
  });
});

describe('caps', () => {
  test.each([
    ['rows', { maxRows: 2 }, [10, 10, 10], '2 rows'],
    ['bytes', { maxBytes: 25 }, [10, 10, 10], '25 bytes'],
  ])('on %s are named in the error', (...[, caps, sizes, words]) => {
    const counter = createCapCounter(caps, 'db');
    const errors = sizes.map((size) => counter.row(size));
    expect(errors.slice(0, -1)).toEqual([undefined, undefined]);
    expect(errors.at(-1)).toMatchObject({
      severity: 'ERROR',
      code: '54000',
      message: expect.stringContaining(words) as string,
    });
    counter.reset();
    expect(counter.row(10)).toBeUndefined();
  });

  test('that are absent cap nothing', () => {
    const counter = createCapCounter({}, 'db');
    for (let count = 0; count < 1000; count += 1) expect(counter.row(2 ** 31)).toBeUndefined();
  });
});
