import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Guarantee } from '../../plan/types.ts';
import { guaranteeNames as guarantees } from '../../policy/guarantees.ts';
import { everyBox } from '../../policy/settings/levels.ts';
import {
  type BackendName,
  backendNames,
  type GuaranteeVector,
  namespaceGuarantees,
  type Strength,
} from '../backend.ts';
import { type BackendCandidate, chooseCandidate, lackingAsNamed } from './choose.ts';
import { atLeast, demandOf, joinVectors, lacking, guaranteeLevel, vectorOf } from './vectors.ts';

const strength = fc.constantFrom<Strength>('none', 'partial', 'kernel');
const vector: fc.Arbitrary<GuaranteeVector> = fc.record(
  Object.fromEntries(guarantees.map((guarantee) => [guarantee, strength])) as Record<Guarantee, typeof strength>,
);
/** Few are unusable and few hold little, so that often something is chosen. */
const candidate = (name: BackendName): fc.Arbitrary<BackendCandidate> =>
  fc
    .record({
      name: fc.constant(name),
      vector: fc.tuple(vector, vector, vector).map(([a, b, c]) => joinVectors(joinVectors(a, b), c)),
      trouble: fc.option(fc.constant('hangs'), { nil: undefined, freq: 3 }),
    })
    .map(({ trouble, ...rest }) => (trouble === undefined ? rest : { ...rest, trouble }));
const machine = fc.tuple(...backendNames.map(candidate));
const demand = fc
  .record({
    requires: fc.uniqueArray(fc.constantFrom(...guarantees), { maxLength: 4 }),
    expects: fc.uniqueArray(fc.constantFrom(...guarantees), { maxLength: 6 }),
  })
  .map(demandOf);
const property = <T extends [unknown, ...unknown[]]>(
  ...[arbitraries, predicate]: [{ [K in keyof T]: fc.Arbitrary<T[K]> }, (...values: T) => void]
): void => {
  fc.assert(fc.property(...arbitraries, predicate as (...values: unknown[]) => void));
};

describe('vectors form a lattice', () => {
  test('a join is idempotent, commutative and associative', () => {
    property<[GuaranteeVector, GuaranteeVector, GuaranteeVector]>([vector, vector, vector], (a, b, c) => {
      expect(joinVectors(a, a)).toEqual(a);
      expect(joinVectors(a, b)).toEqual(joinVectors(b, a));
      expect(joinVectors(a, joinVectors(b, c))).toEqual(joinVectors(joinVectors(a, b), c));
    });
  });

  test('the order is that of the lattice', () => {
    const isSame = (a: GuaranteeVector, b: GuaranteeVector) => guarantees.every((each) => a[each] === b[each]);
    property<[GuaranteeVector, GuaranteeVector]>([vector, vector], (a, b) => {
      expect(atLeast(a, b)).toBe(isSame(joinVectors(a, b), a));
      expect(atLeast(joinVectors(a, b), a)).toBe(true);
      expect(atLeast(a, b) && atLeast(b, a)).toBe(isSame(a, b));
    });
  });

  test('required guarantees need the kernel, expected ones at least partial enforcement', () => {
    expect(demandOf({ requires: ['pid'], expects: ['pid', 'ipc'] })).toEqual(
      vectorOf((guarantee) => (guarantee === 'pid' ? 'kernel' : guarantee === 'ipc' ? 'partial' : 'none')),
    );
  });
});

describe('choosing', () => {
  test('the choice is usable and complete, and a refusal names each gap', () => {
    property<[BackendCandidate[], GuaranteeVector]>(
      [machine as unknown as fc.Arbitrary<BackendCandidate[]>, demand],
      (candidates, wanted) => {
        const choice = chooseCandidate(candidates, wanted);
        if (choice.kind === 'chosen') {
          const { vector: held, trouble } = candidates.find(({ name }) => name === choice.name) as BackendCandidate;
          expect([trouble, lacking(held, wanted)]).toEqual([undefined, []]);
        } else {
          expect(choice.lacking.length).toBeGreaterThan(0);
          for (const { guarantees: missing, trouble } of choice.lacking)
            expect(missing.length > 0 || trouble !== undefined).toBe(true);
        }
      },
    );
  });

  test('equal inputs give equal choices, in whatever order the backends are looked at', () => {
    property<[BackendCandidate[], GuaranteeVector]>(
      [machine as unknown as fc.Arbitrary<BackendCandidate[]>, demand],
      (candidates, wanted) => {
        expect(chooseCandidate(candidates.toReversed(), wanted)).toEqual(chooseCandidate(candidates, wanted));
      },
    );
  });

  test('a tighter demand never widens: its choice also meets the looser one, and refusals stay', () => {
    property<[BackendCandidate[], GuaranteeVector, GuaranteeVector]>(
      [machine as unknown as fc.Arbitrary<BackendCandidate[]>, demand, demand],
      (candidates, loose, more) => {
        const [before, after] = [
          chooseCandidate(candidates, loose),
          chooseCandidate(candidates, joinVectors(loose, more)),
        ];
        if (after.kind === 'chosen') {
          expect(atLeast((candidates.find(({ name }) => name === after.name) as BackendCandidate).vector, loose)).toBe(
            true,
          );
          const considered = before.kind === 'chosen' || before.lacking.some(({ name }) => name === after.name);
          expect(before.kind === 'chosen' || !considered).toBe(true);
        }
      },
    );
  });

  test('a narrowing policy’s name never gives less than the choice without it', () => {
    property<[BackendCandidate[], GuaranteeVector]>(
      [machine as unknown as fc.Arbitrary<BackendCandidate[]>, demand],
      (candidates, wanted) => {
        const choice = chooseCandidate(candidates, wanted);
        const otherwise =
          choice.kind === 'chosen' ? candidates.find(({ name }) => name === choice.name)?.vector : undefined;
        for (const { vector: named } of candidates) {
          if (lackingAsNamed(named, wanted, otherwise).length > 0) continue;
          expect(lacking(named, wanted)).toEqual([]);
          expect(lacking(named, otherwise ?? wanted).filter((guarantee) => guarantee !== 'fs.stage')).toEqual([]);
        }
      },
    );
  });
});

const namespaces = namespaceGuarantees({ uid: 1000, cgroups: { kind: 'none', reason: 'a test' } }, 'kernel');
const landlock: GuaranteeVector = { ...namespaces, pid: 'partial', 'fs.stage': 'none' };
const gvisor: GuaranteeVector = { ...namespaces, 'kernel.separate': 'kernel' };
const every = demandOf({ requires: everyBox });

describe('the order of auto', () => {
  const all: readonly BackendCandidate[] = [
    { name: 'microvm', vector: { ...gvisor, 'hardware.separate': 'kernel' } },
    { name: 'gvisor', vector: gvisor },
    { name: 'landlock', vector: landlock },
    { name: 'bubblewrap', vector: namespaces },
    { name: 'native', vector: namespaces },
  ];
  const without = (...names: readonly BackendName[]) =>
    all.map((each) => (names.includes(each.name) ? { ...each, trouble: 'not here' } : each));

  test.each<[string, readonly BackendCandidate[], GuaranteeVector, BackendName]>([
    ['native first', all, every, 'native'],
    ['then bubblewrap', without('native'), every, 'bubblewrap'],
    ['another kernel where one is demanded', all, demandOf({ requires: [...everyBox, 'kernel.separate'] }), 'gvisor'],
    [
      'another machine where one is demanded',
      all,
      demandOf({ requires: [...everyBox, 'hardware.separate'] }),
      'microvm',
    ],
    [
      'a microVM for another kernel where gVisor is not there',
      without('gvisor'),
      demandOf({ requires: ['kernel.separate'] }),
      'microvm',
    ],
    [
      'Landlock alone for what it holds',
      without('native', 'bubblewrap'),
      demandOf({ requires: ['fs.read'] }),
      'landlock',
    ],
  ])('%s', (...[, candidates, wanted, name]) => {
    expect(chooseCandidate(candidates, wanted)).toEqual({ kind: 'chosen', name });
  });

  test('Landlock alone is not chosen for partial guarantees, and slow ones need a request', () => {
    expect(chooseCandidate(without('native', 'bubblewrap'), every)).toEqual({
      kind: 'refused',
      lacking: [
        { name: 'native', guarantees: [], trouble: 'not here' },
        { name: 'bubblewrap', guarantees: [], trouble: 'not here' },
        { name: 'landlock', guarantees: ['pid'] },
      ],
    });
  });
});

describe('levels', () => {
  test.each([
    [vectorOf(() => 'none'), 0, 'none'],
    [landlock, 1, 'restricted'],
    [namespaces, 2, 'contained'],
    [gvisor, 3, 'separate-kernel'],
    [{ ...gvisor, 'hardware.separate': 'partial' } as const, 3, 'separate-kernel'],
    [{ ...gvisor, 'hardware.separate': 'kernel' } as const, 4, 'separate-hardware'],
    [{ ...gvisor, pid: 'partial' } as const, 1, 'restricted'],
  ])('a vector has the level of which it holds everything', (held, number, name) => {
    expect(guaranteeLevel(held)).toEqual({ number, name });
  });

  test('holding more is never a lower level', () => {
    property<[GuaranteeVector, GuaranteeVector]>([vector, vector], (a, b) => {
      expect(guaranteeLevel(joinVectors(a, b)).number).toBeGreaterThanOrEqual(guaranteeLevel(a).number);
    });
  });
});
