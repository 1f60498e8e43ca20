import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Plan } from '../../plan/types.ts';
import { fullPlan, planWith } from '../testing/plan.ts';
import { seatbeltProfile } from './profile.ts';
import { evaluator } from './testing/evaluator.ts';
import { meaningOf } from './testing/oracle.ts';
import { compiledPlan, oddPlan, options, pathFor } from './testing/plans.ts';

/** Places that are readable on every Mac, so that programs start. */
const systemPlaces = ['/System', '/Library/Apple', '/usr/lib', '/private', '/dev'];

function answersOf(
  plan: Plan,
): (path: string) => Readonly<Record<'read' | 'write' | 'execute' | 'create' | 'remove', boolean>> {
  const ask = evaluator(seatbeltProfile(plan, options));
  return (path) => {
    const may = (operation: string): boolean => ask({ operation, path }).decision === 'allow';
    return {
      read: may('file-read-data'),
      write: may('file-write-data'),
      execute: may('process-exec'),
      create: may('file-write-create'),
      remove: may('file-write-unlink'),
    };
  };
}

/** An exception is a name, never a directory with all it holds. */
function isBelowException({ protection }: Plan, path: string): boolean {
  return protection.names.some(({ except }) =>
    except.some((name) => path.toLowerCase().includes(`/${name.toLowerCase()}/`)),
  );
}

const withPaths = (plans: fc.Arbitrary<Plan>): fc.Arbitrary<readonly [Plan, readonly string[]]> =>
  plans.chain((plan) => fc.tuple(fc.constant(plan), fc.array(pathFor(plan), { minLength: 40, maxLength: 80 })));

describe('a profile allows what its plan allows', () => {
  test.each([
    ['of generated policies', compiledPlan, 8],
    ['that no policy would give', oddPlan, 50],
  ])('for plans %s', (_, plans, numRuns) => {
    fc.assert(
      fc.property(withPaths(plans), ([plan, paths]) => {
        const answer = answersOf(plan);
        for (const path of paths.filter((each) => !systemPlaces.some((place) => each.startsWith(place)))) {
          const meant = meaningOf(plan, path);
          const { read, write, execute, create, remove } = answer(path);
          const said = { read, write, execute };
          if (isBelowException(plan, path))
            expect([!read || meant.read, !write || meant.write, !execute || meant.execute], path).toEqual([
              true,
              true,
              true,
            ]);
          else expect({ path, ...said }).toEqual({ path, ...meant });
          // Nothing tells a rename from `mkdir`, so beginnings of chains are refused as well: never less than the plan
          // refuses.
          expect({ path, create: create && !meant.write, remove: remove && !meant.write }).toEqual({
            path,
            create: false,
            remove: false,
          });
        }
      }),
      { numRuns },
    );
  });
});

test('a case-insensitive disk shows no more under another spelling', () => {
  fc.assert(
    fc.property(withPaths(oddPlan), ([plan, paths]) => {
      const answer = answersOf(plan);
      for (const path of paths) {
        const root = plan.mounts.map(({ target }) => target).findLast((target) => path.startsWith(`${target}/`)) ?? '';
        const shouted = root + path.slice(root.length).toUpperCase().normalize('NFD');
        const meant = meaningOf(plan, shouted);
        const { read, write } = answer(shouted);
        expect({ shouted, read: read && !meant.read, write: write && !meant.write }).toEqual({
          shouted,
          read: false,
          write: false,
        });
      }
    }),
    { numRuns: 15 },
  );
});

test('is a pure function', () => {
  expect(seatbeltProfile(fullPlan, options)).toBe(seatbeltProfile(structuredClone(fullPlan), { ...options }));
});

describe('options', () => {
  test.each(['', 'relative', '/', '/a/../b', '/a/', '/srv', '/srv/project', '/srv/project/.box'])(
    'a private directory %j is refused',
    (privateDirectory) => {
      expect(() => seatbeltProfile(fullPlan, { ...options, privateDirectory })).toThrow(
        expect.objectContaining({ code: 'HF_INTERNAL' }),
      );
    },
  );

  test.each([0, -1, 65_536, 1.5, Number.NaN])('port %s is refused', (proxyPort) => {
    expect(() => seatbeltProfile(fullPlan, { ...options, proxyPort })).toThrow(
      expect.objectContaining({ code: 'HF_INTERNAL' }),
    );
  });

  test.each(['a\0b', 'a\ud800'])('a path %j cannot be written', (name) => {
    const plan = planWith({ mounts: [{ kind: 'mask', target: `/srv/${name}`, type: 'file' }] });
    expect(() => seatbeltProfile(plan, options)).toThrow(expect.objectContaining({ code: 'HF_PATH_UNREPRESENTABLE' }));
  });
});
