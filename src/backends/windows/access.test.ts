import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Mount } from '../../plan/mount.ts';
import type { Plan } from '../../plan/types.ts';
import { directory, planWith } from '../testing/plan.ts';
import { type AccessEntry, accessOf, pathKey, rights, sddlOf } from './access.ts';
import { windowsPath } from './paths.ts';
import { granted } from './testing/access-check.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const drives = [{ posix: '/', windows: 'C:\\' }];
const resolve = (posix: string): string | undefined => {
  const mapped = windowsPath(posix, drives);
  return mapped.kind === 'path' ? mapped.path : undefined;
};
const privateDirectory = 'D:\\private';
const onWindows = (posix: string): string => resolve(posix) ?? '';

interface Case {
  readonly plan: Plan;
  readonly denials: readonly AccessEntry[];
}

const path = fc
  .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 4 })
  .map((names) => `/${names.join('/')}`);
const mount: fc.Arbitrary<Mount> = fc.oneof(
  fc
    .record({
      kind: fc.constant('bind' as const),
      target: path,
      access: fc.constantFrom('read-only' as const, 'read-write' as const),
    })
    .map(
      ({ kind, target, access }) =>
        ({
          kind,
          source: target,
          target,
          access,
          ownership: 'as-is',
          identity: directory,
          presence: 'required',
        }) as const,
    ),
  path.map((target) => ({ kind: 'overlay', lower: target, target, identity: directory }) as const),
  path.map((target) => ({ kind: 'tmpfs', target, mode: 0o700, size: 0 }) as const),
  path.map((target) => ({ kind: 'mask', target, type: 'directory' }) as const),
);
const denial: fc.Arbitrary<AccessEntry> = fc
  .record({ posix: path, mask: fc.constantFrom(rights.everything, rights.changing) })
  .map(({ posix, mask }) => ({ path: onWindows(posix), effect: 'deny', mask, inherit: 'tree', why: 'found' }));
const anyCase: fc.Arbitrary<Case> = fc
  .record({
    mounts: fc.array(mount, { maxLength: 6 }),
    guarded: fc.array(path, { maxLength: 2 }),
    denials: fc.array(denial, { maxLength: 3 }),
  })
  .map(({ mounts, guarded, denials }) => ({
    // As a plan has them: what is in another one comes after it.
    plan: planWith({
      mounts: mounts.toSorted((one, other) => one.target.split('/').length - other.target.split('/').length),
      protection: { roots: [], shownRoots: [], gitDirectories: [], names: [], guarded, released: [] },
      programs: [],
    }),
    denials,
  }));

const isIn = (inner: string, outer: string): boolean => inner === outer || inner.startsWith(`${outer}/`);

/** What a plan means for a path, read from its mounts and not from entries. */
function meant({ plan, denials }: Case, posix: string): { readonly read: boolean; readonly write: boolean } {
  const shown = plan.mounts
    .filter(({ kind }) => kind !== 'mask')
    .findLast(
      ({ target }, _, all) =>
        isIn(posix, target) && all.every((other) => !isIn(posix, other.target) || other.target.length <= target.length),
    );
  const refused = [
    ...denials,
    ...plan.protection.guarded.map((guarded) => ({ path: onWindows(guarded), mask: rights.changing })),
    ...plan.mounts.flatMap(({ kind, target }) =>
      kind === 'mask' ? [{ path: onWindows(target), mask: rights.everything }] : [],
    ),
  ].filter((entry) => isIn(onWindows(posix).replaceAll('\\', '/'), entry.path.replaceAll('\\', '/')));
  const read =
    (shown?.kind === 'bind' || shown?.kind === 'overlay') && refused.every(({ mask }) => mask !== rights.everything);
  return { read, write: read && shown.kind === 'bind' && shown.access === 'read-write' && refused.length === 0 };
}

describe('the entries have the meaning of the plan', () => {
  test('any nesting of mounts and refusals', () => {
    fc.assert(
      fc.property(anyCase, fc.array(path, { minLength: 12, maxLength: 12 }), (one, paths) => {
        const entries = accessOf({ plan: one.plan, resolve, privateDirectory, denials: one.denials });
        for (const posix of paths) {
          const mask = granted(entries, onWindows(posix));
          expect({ read: (mask & 0x1) !== 0, write: (mask & 0x2) !== 0 }, posix).toEqual(meant(one, posix));
        }
      }),
      { numRuns: rounds(400) },
    );
  });

  test('no entry gives a right to change access lists or owners, and nothing outside of the mounts is granted', () => {
    fc.assert(
      fc.property(anyCase, ({ plan, denials }) => {
        const entries = accessOf({ plan, resolve, privateDirectory, denials });
        for (const { effect, mask } of entries) if (effect === 'allow') expect(mask & 0x0c_00_00).toBe(0);
        const places = plan.mounts.flatMap((each) =>
          each.kind === 'bind' || each.kind === 'overlay' ? [pathKey(onWindows(each.target))] : [],
        );
        for (const { effect, path: place } of entries)
          if (effect === 'allow')
            expect(place.startsWith(`${privateDirectory}\\`) || places.includes(pathKey(place)), place).toBe(true);
        expect(granted(entries, 'C:\\elsewhere')).toBe(0);
        expect(granted(entries, 'C:\\')).toBe(0);
        expect(granted(entries, privateDirectory)).toBe(0);
      }),
    );
  });

  test('a path both refused and granted is refused, and comes first', () => {
    fc.assert(
      fc.property(anyCase, ({ plan, denials }) => {
        const entries = accessOf({ plan, resolve, privateDirectory, denials });
        for (const { path: place, mask } of denials) expect(granted(entries, place) & mask).toBe(0);
        const lists = Map.groupBy(entries, ({ path: place }) => pathKey(place));
        for (const list of lists.values())
          expect(list.map(({ effect }) => effect)).toEqual(
            list
              .map(({ effect }) => effect)
              .toSorted()
              .toReversed(),
          );
      }),
    );
  });
});

test('a refused program is not executed, and a moved directory keeps its refusal', () => {
  const plan = planWith({
    mounts: [],
    programs: [{ program: 'su', path: '/usr/bin/su', identity: directory, held: 'mask', sharedWith: [] }],
  });
  expect(
    accessOf({
      plan: { ...plan, protection: { ...plan.protection, guarded: [] } },
      resolve,
      privateDirectory,
      denials: [],
    }),
  ).toEqual([
    { path: 'C:\\usr\\bin\\su', effect: 'deny', mask: 0x20, inherit: 'none', why: 'the program su is refused' },
  ]);
});

test('as text', () => {
  expect(
    sddlOf(
      [
        { path: 'C:\\x', effect: 'deny', mask: rights.everything, inherit: 'none', why: '' },
        { path: 'C:\\x', effect: 'allow', mask: rights.modify, inherit: 'tree', why: '' },
      ],
      'S-1-15-2-1',
    ),
  ).toBe('D:(D;;0x1f01ff;;;S-1-15-2-1)(A;OICI;0x1301bf;;;S-1-15-2-1)');
});
