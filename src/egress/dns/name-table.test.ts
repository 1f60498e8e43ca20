import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createFakeNames,
  createNameTable,
  createRealNames,
  fakeAddressAt,
  fakeAddressCount,
  isFakeAddress,
  mostRefusedNames,
  resolverIndex,
} from './name-table.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const resolverAddress = fakeAddressAt(resolverIndex);

describe('fake addresses', () => {
  test('are one for each name, and the same one every time', () => {
    const table = createNameTable({ fake: { start: 40 } });
    expect([table.addressFor('a.test'), table.addressFor('b.test'), table.addressFor('a.test')]).toEqual([
      '198.18.0.41',
      '198.18.0.42',
      '198.18.0.41',
    ]);
    expect([table.namesOf('198.18.0.41'), table.namesOf('198.18.0.42'), table.namesOf('198.18.0.43')]).toEqual([
      ['a.test'],
      ['b.test'],
      [],
    ]);
  });

  test('never include the resolver, even after the end of the range', () => {
    const table = createNameTable({ fake: { start: fakeAddressCount - 1 } });
    expect([table.addressFor('a'), table.addressFor('b')]).toEqual(['198.19.255.254', '198.18.0.2']);
    expect(createNameTable({ fake: { start: 0 } }).addressFor('a')).toBe('198.18.0.2');
    expect(table.namesOf(resolverAddress)).toEqual([]);
  });

  test('begin at another place in each session, so that an old address means nothing', () => {
    const sessions = Array.from({ length: 40 }, () => createNameTable());
    const first = sessions.map((table) => table.addressFor('a.test') ?? '');
    expect(first.every((address) => isFakeAddress(address) && address !== resolverAddress)).toBe(true);
    // 40 of 130,047: two are equal in one of 170 runs, five in fewer than one of ten million.
    expect(new Set(first).size).toBeGreaterThan(35);
    const met = sessions.flatMap((table) => first.flatMap((address) => table.namesOf(address)));
    expect(met.length).toBeLessThan(50);
  });

  test('run out instead of being used again', () => {
    const table = createNameTable({ fake: { capacity: 2, start: 9 } });
    expect([table.addressFor('a'), table.addressFor('b'), table.addressFor('c')]).toEqual([
      '198.18.0.10',
      '198.18.0.11',
      undefined,
    ]);
    expect(table.addressFor('a')).toBe('198.18.0.10');
    expect(table.namesOf('198.18.0.12')).toEqual([]);
    expect(table.standingOf('c')).toBeUndefined();
  });

  test('are all used before that, each once', () => {
    const names = createFakeNames({ capacity: 10 * fakeAddressCount });
    const given = Array.from({ length: fakeAddressCount - 1 }, (_, index) => names.addressFor(`n${index}`, 'allowed'));
    expect(new Set(given).size).toBe(fakeAddressCount - 1);
    expect(given).not.toContain(undefined);
    expect(given).not.toContain(resolverAddress);
    expect(names.addressFor('one-more', 'allowed')).toBeUndefined();
  });
});

describe('refused names', () => {
  test('are marked, until they are allowed', () => {
    const table = createNameTable();
    const address = table.addressFor('a', 'refused');
    expect(table.standingOf('a')).toBe('refused');
    expect(table.addressFor('a')).toBe(address);
    expect(table.standingOf('a')).toBe('allowed');
    expect(table.addressFor('a', 'refused')).toBe(address);
    expect(table.standingOf('a')).toBe('refused');
    expect(table.standingOf('b')).toBeUndefined();
  });

  test('cannot use up the addresses of allowed ones', () => {
    const table = createNameTable();
    const given = Array.from({ length: mostRefusedNames + 10 }, (_, index) =>
      table.addressFor(`x${index}.evil.test`, 'refused'),
    );
    expect(given.filter((address) => address === undefined)).toHaveLength(10);
    expect(table.addressFor('good.test')).toBeDefined();
    expect(table.addressFor('x0.evil.test', 'refused')).toBe(given[0]);
  });
});

describe('real addresses', () => {
  test('have all names that were answered with them, latest first', () => {
    const table = createNameTable();
    table.remember('a.test', ['192.0.2.1', '2001:db8::1']);
    table.remember('b.test', ['192.0.2.1']);
    expect(table.namesOf('192.0.2.1')).toEqual(['b.test', 'a.test']);
    table.remember('a.test', ['192.0.2.1']);
    expect(table.namesOf('192.0.2.1')).toEqual(['a.test', 'b.test']);
    expect(table.namesOf('2001:db8::1')).toEqual(['a.test']);
    expect(table.namesOf('192.0.2.2')).toEqual([]);
  });

  test('are forgotten, oldest first, when there are too many', () => {
    const names = createRealNames({ mostAddresses: 2, mostNames: 2 });
    names.remember('a', ['192.0.2.1']);
    names.remember('a', ['192.0.2.2']);
    names.remember('b', ['192.0.2.1']);
    names.remember('c', ['192.0.2.3']);
    expect([names.namesOf('192.0.2.1'), names.namesOf('192.0.2.2'), names.namesOf('192.0.2.3')]).toEqual([
      ['b', 'a'],
      [],
      ['c'],
    ]);
    names.remember('d', ['192.0.2.1']);
    expect(names.namesOf('192.0.2.1')).toEqual(['d', 'b']);
  });
});

test('name and address stay a pair, for any look-ups in any order', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
  fc.assert(
    fc.property(
      fc.array(fc.tuple(name, fc.constantFrom('allowed' as const, 'refused' as const)), { maxLength: 40 }),
      fc.nat(fakeAddressCount - 1),
      fc.nat(6),
      (steps, start, capacity) => {
        const table = createNameTable({ fake: { start, capacity } });
        const given = new Map<string, string>();
        for (const [asked, standing] of steps) {
          const address = table.addressFor(asked, standing);
          if (address === undefined) {
            expect(given.size).toBe(capacity);
            continue;
          }
          expect(given.get(asked) ?? address).toBe(address);
          given.set(asked, address);
          expect(table.namesOf(address)).toEqual([asked]);
          expect(table.standingOf(asked)).toBe(standing);
        }
        expect(new Set(given.values()).size).toBe(given.size);
      },
    ),
    { numRuns: rounds(300) },
  );
});

test('the addresses are distinct, in 198.18.0.0/15, and none ends in 0 or 255', () => {
  const all = Array.from({ length: fakeAddressCount }, (_, index) => fakeAddressAt(index));
  expect(new Set(all).size).toBe(512 * 254);
  expect(all.every((address) => /^198\.1[89]\.\d{1,3}\.\d{1,3}$/.test(address) && !/\.(?:0|255)$/.test(address))).toBe(
    true,
  );
  expect([all[0], all[1], all[253], all[254], all.at(-1)]).toEqual([
    '198.18.0.1',
    '198.18.0.2',
    '198.18.0.254',
    '198.18.1.1',
    '198.19.255.254',
  ]);
});

test('the resolver has the first of them', () => {
  expect(fakeAddressAt(resolverIndex)).toBe('198.18.0.1');
});

test.each(['198.18.0.0', '198.18.0.1', '198.19.255.255', '0xc6120002', '::ffff:198.18.4.4', '3323068418'])(
  '%s is in the range',
  (address) => {
    expect(isFakeAddress(address)).toBe(true);
  },
);

test.each(['198.17.255.255', '198.20.0.0', '127.0.0.1', '::1', '2001:db8::c612:1', 'example.com', ''])(
  '%s is not in the range',
  (address) => {
    expect(isFakeAddress(address)).toBe(false);
  },
);
