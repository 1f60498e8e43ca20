import * as fc from 'fast-check';
import { HoldfastError } from '../../../errors/index.ts';
import { wantedPaths } from '../../../plan/anchors.ts';
import { compilePlan } from '../../../plan/compile.ts';
import type { HostFacts } from '../../../plan/facts.ts';
import { resolverFiles } from '../../../plan/limits.ts';
import type { Mount } from '../../../plan/mount.ts';
import { factOf, type Tree } from '../../../plan/testing/host.ts';
import type { Plan, ProtectedName } from '../../../plan/types.ts';
import { userLayer } from '../../../policy/layers/compile-layer.ts';
import { builtinRequired } from '../../../policy/layers/required.ts';
import { policyOf } from '../../../policy/policy.ts';
import { layer } from '../../../policy/testing/arbitraries.ts';
import { places } from '../../../policy/testing/policies.ts';
import { directory, planWith } from '../../testing/plan.ts';

export const options = {
  tag: 'holdfast:test-1',
  privateDirectory: '/private/var/holdfast/box-1',
  proxyPort: 4321,
} as const;

/** Characters that end a string, a list, an expression or a comment in some reader, and similar names. */
export const hostileName = fc
  .oneof(
    fc.constantFrom(
      'a"b',
      '\\',
      'a\\',
      '")(allow default)("',
      ';',
      '#"a"',
      '(',
      ')',
      'a\nb',
      '\t',
      '\x01',
      '\x7f',
      '^',
      '$',
      '.*',
      '[a]',
      'a{2}',
      'a|b',
      '+',
      'caf\u00e9',
      'cafe\u0301',
      '\u1ebf',
      '\u{1f600}',
      '\u200d',
      "'",
      '%s',
      '-p',
      '|#',
      '#t',
      'x'.repeat(255),
      '\u00e9'.repeat(120),
    ),
    fc.string({ unit: fc.constantFrom(...'"\\();#^$.*+?[]{}|\n\t -az\u00e9\u0301'), minLength: 1, maxLength: 8 }),
  )
  .filter((name) => name !== '.' && name !== '..' && !name.includes('/'));

const workspace = { root: places.workspace, cwd: places.workspace, gitDirectories: [] };
const installation = ['/opt/holdfast/dist'];
const usual: Tree = {
  '/usr/bin': 'directory',
  '/etc': 'directory',
  '/opt/holdfast/dist': 'directory',
  [places.workspace]: 'directory',
};
const parts = ['a', 'b', '.env', '.git', 'hooks', 'src', 'config'];

const tree: fc.Arbitrary<Tree> = fc
  .array(
    fc.tuple(
      fc.constantFrom('', places.home, places.workspace, '/usr', '/tmp'),
      fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 3 }),
      fc.constantFrom('directory', 'file', 'other'),
    ),
    { maxLength: 8 },
  )
  .map((entries) => ({
    ...usual,
    ...Object.fromEntries(entries.map(([start, names, type]) => [`${start}/${names.join('/')}`, type])),
  }));

/** Plans of the policy room's generated policies, for machines on which some of their names exist. */
export const compiledPlan: fc.Arbitrary<Plan> = fc
  .tuple(fc.array(layer, { maxLength: 2 }), tree)
  .map(([layers, found]) => compiled(layers, found))
  .filter((plan) => plan !== undefined);

function compiled(layers: readonly Parameters<typeof policyOf>[0][number][], found: Tree): Plan | undefined {
  try {
    const policy = policyOf([
      builtinRequired(places),
      userLayer(undefined, places),
      ...layers.filter(({ kind }) => kind !== 'user'),
    ]);
    const facts: HostFacts = {
      user: { uid: 501, home: places.home },
      workspace,
      paths: new Map(
        [...wantedPaths(policy, workspace, installation), ...resolverFiles].map((path) => [path, factOf(found, path)]),
      ),
      gitPrograms: [],
      programs: [],
      executables: [],
      memory: 8e9,
      cgroups: { kind: 'none', reason: 'a test' },
      installation,
      overlay: 'available',
      ipv6: 'available',
      environment: {},
      withheld: [['agents.md'], ['.claude', 'settings.json'], ['.github', 'prompts']],
    };
    return compilePlan(policy, facts, { argv: ['true'], sessionId: 'id', boxId: 'id.1', session: '{}' });
  } catch (error) {
    if (error instanceof HoldfastError) return undefined;
    throw error;
  }
}

const plainName = fc.constantFrom(
  'a',
  'b',
  'node_modules',
  '.git',
  'hooks',
  '.env',
  '.env.example',
  'secret',
  'refs',
  'x1',
);
const anyName = fc.oneof({ weight: 5, arbitrary: plainName }, { weight: 1, arbitrary: hostileName });
const wildcard = fc.constantFrom(
  'a',
  'hooks',
  '.git',
  '.env*',
  's?cret',
  '*',
  'x*',
  'node_modules',
  'a"b',
  '.*',
  '(',
  'refs',
);
const chain = fc.array(wildcard, { minLength: 1, maxLength: 3 }).filter((names) => names.some((name) => name !== '*'));
/** Chains without a package's or git's names: a profile withholds those a little more than intended. */
const withheldChain = fc.constantFrom(['a'], ['hooks'], ['s?cret'], ['a"b', 'hooks'], ['.env*'], ['x*', 'a']);
const protectedName: fc.Arbitrary<ProtectedName> = fc
  .record({
    components: chain,
    effect: fc.constantFrom('read-only', 'hidden', 'pinned', 'withheld'),
    except: fc.constantFrom<readonly string[]>([], [], ['.env.example', 'x1']),
    scope: fc.constantFrom('anywhere', 'outside-packages'),
    reason: fc.constant('a test'),
    withheld: withheldChain,
  })
  .map(({ withheld, ...name }) => (name.effect === 'withheld' ? { ...name, components: withheld } : name));

const pathBelow = (start: string): fc.Arbitrary<string> =>
  fc.array(anyName, { minLength: 1, maxLength: 4 }).map((names) => [start, ...names].join('/'));
const root = fc.constantFrom('/srv/p', '/srv/node_modules/p', '/srv/q/.git', '/srv/bare.git', '/srv/sh "()\\own');

const mount = (target: string): fc.Arbitrary<Mount> =>
  fc.constantFrom<Mount>(
    {
      kind: 'bind',
      source: target,
      target,
      access: 'read-only',
      ownership: 'as-is',
      identity: directory,
      presence: 'required',
    },
    {
      kind: 'bind',
      source: target,
      target,
      access: 'read-write',
      ownership: 'as-is',
      identity: directory,
      presence: 'required',
    },
    { kind: 'overlay', lower: target, target, identity: directory },
    { kind: 'tmpfs', target, mode: 0o755, size: 0 },
    { kind: 'mask', target, type: 'directory' },
    { kind: 'file', target, mode: 0o444, content: '' },
    { kind: 'directory', target, mode: 0o755 },
  );

const rootsOf = (mounts: readonly Mount[], access: 'read-only' | 'read-write'): readonly string[] =>
  mounts.flatMap((each) => (each.kind === 'bind' && each.access === access ? [each.target] : []));

/** Plans that no policy would make: every name at every place, mounts within mounts, hostile paths. */
export const oddPlan: fc.Arbitrary<Plan> = fc.uniqueArray(root, { minLength: 1, maxLength: 3 }).chain((roots) => {
  const base = fc.tuple(
    ...roots.map((target) =>
      fc.constantFrom<Mount>(
        ...(['read-only', 'read-write', 'read-write'] as const).map(
          (access): Mount => ({
            kind: 'bind',
            source: target,
            target,
            access,
            ownership: 'as-is',
            identity: directory,
            presence: 'required',
          }),
        ),
      ),
    ),
  );
  const within = fc.array(
    fc
      .constantFrom(...roots)
      .chain(pathBelow)
      .chain(mount),
    { maxLength: 4 },
  );
  const listed = fc.array(fc.constantFrom(...roots).chain(pathBelow), { maxLength: 3 });
  return fc
    .record({
      base,
      within,
      names: fc.array(protectedName, { maxLength: 6 }),
      released: listed,
      guarded: listed,
      approved: listed,
      git: fc.boolean(),
    })
    .map(({ base: outer, within: inner, names, released, guarded, approved, git }) => {
      const written = rootsOf(outer, 'read-write');
      return planWith({
        mounts: [...outer, ...inner.toSorted((a, b) => a.target.split('/').length - b.target.split('/').length)],
        protection: {
          roots: written,
          shownRoots: rootsOf(outer, 'read-only'),
          gitDirectories: git ? written : [],
          names,
          released,
          guarded: guarded.filter((path) => written.some((directoryOf) => path.startsWith(`${directoryOf}/`))),
          withholding: written.slice(0, 1),
          approved,
        },
      });
    });
});

/** Paths at, above, below and beside every name of a plan. */
export function pathFor(plan: Plan): fc.Arbitrary<string> {
  const { roots, shownRoots, guarded, released, approved = [], names } = plan.protection;
  const starts = [
    ...plan.mounts.map(({ target }) => target),
    ...roots,
    ...shownRoots,
    ...guarded,
    ...released,
    ...approved,
  ];
  const meant =
    names.length === 0
      ? ['a']
      : names
          .flatMap(({ components }) => [components.join('/'), ...components])
          .map((name) => name.replaceAll('*', 'q').replaceAll('?', 'e'));
  const piece = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...meant) },
    { weight: 3, arbitrary: plainName },
    { weight: 1, arbitrary: hostileName },
  );
  return fc
    .tuple(fc.constantFrom(...starts), fc.array(piece, { maxLength: 4 }))
    .map(([start, pieces]) => [start === '/' ? '' : start, ...pieces].join('/'))
    .filter((path) => path !== '' && path !== '/');
}
