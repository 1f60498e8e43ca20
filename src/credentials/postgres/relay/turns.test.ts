import { describe, expect, test } from 'vitest';
import type { TransactionStatus } from '../protocol/types.ts';
import { createCapCounter } from './server-side.ts';
import { createPreparedNames } from './prepared.ts';
import { createTurns, type Turns } from './turns.ts';

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

  test('lead from portals to what they run', () => {
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
