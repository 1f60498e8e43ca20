import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type KnownModules, orderModules } from './module.ts';

const name = fc.integer({ min: 0, max: 30 }).map(String);
/** Without circles: a module depends on those with smaller numbers. */
const graphs = fc
  .dictionary(name, fc.array(name, { maxLength: 5 }), { noNullPrototype: true })
  .map(
    (entries) =>
      new Map(
        Array.from({ length: 31 }, (_, index): [string, readonly string[]] => [
          String(index),
          (entries[String(index)] ?? []).filter((other) => Number(other) < index),
        ]),
      ),
  );

test('each module comes once, after everything that it depends on', () => {
  fc.assert(
    fc.property(graphs, fc.array(name), (known, wanted) => {
      const order = orderModules(wanted, known);
      expect(order.kind).toBe('complete');
      expect(new Set(order.names).size).toBe(order.names.length);
      expect(wanted.every((module) => order.names.includes(module))).toBe(true);
      for (const [at, module] of order.names.entries())
        for (const other of known.get(module) ?? []) expect(order.names.indexOf(other)).toBeLessThan(at);
      expect(orderModules(wanted, known)).toEqual(order);
    }),
  );
});

test('unread modules are requested, built-in ones are not', () => {
  expect(orderModules(['a'], facts({ a: ['b', 'c'], b: 'built-in' }))).toEqual({ kind: 'unread', names: ['c'] });
  expect(orderModules(['a'], facts({ a: ['b'], b: 'built-in' }))).toEqual({ kind: 'complete', names: ['a'] });
});

test('a circle and a chain of ten thousand come to an end', () => {
  expect(
    orderModules(
      ['a'],
      new Map([
        ['a', ['b']],
        ['b', ['a']],
      ]),
    ).names,
  ).toEqual(['b', 'a']);
  const chain = new Map(
    Array.from({ length: 10_000 }, (_, index): [string, readonly string[]] => [
      String(index),
      index === 0 ? [] : [String(index - 1)],
    ]),
  );
  expect(orderModules(['9999'], chain).names).toHaveLength(10_000);
});

function facts(known: Readonly<Record<string, readonly string[] | 'built-in'>>): KnownModules {
  return new Map(Object.entries(known));
}
