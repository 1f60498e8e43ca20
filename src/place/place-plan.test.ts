import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Mount } from '../plan/mount.ts';
import type { ProtectedName } from '../plan/types.ts';
import type { SessionOptions } from '../session/session-options.ts';
import { fillableTemplate, fillPlan, type PlacePlan, visibleMounts } from './place-plan.ts';
import { type Place, readPlace } from './place.ts';
import { planPlace } from './planner.ts';
import { forgetPlans, recallPlan, rememberPlan } from './remembered-plan.ts';
import { nothingShown } from './shown-files.ts';
import { plant, scratchDirectory } from './testing/scratch.ts';
import { rounds } from '../../scripts/testing/extent.ts';

interface Scene {
  readonly root: string;
  readonly options: SessionOptions;
  readonly place: () => Place;
  /** The plan that a later session with these options would recall. */
  readonly recall: (changes?: Partial<SessionOptions>) => PlacePlan | undefined;
}

const environment = { PATH: '/usr/bin', AWS_SECRET_ACCESS_KEY: 'secret' };

/** A place whose plan was made and remembered. */
function scene(): Scene {
  const root = scratchDirectory();
  plant(root, { 'ws/': '', 'shown/': '' });
  const options: SessionOptions = {
    cwd: join(root, 'ws'),
    environment: { ...environment, XDG_STATE_HOME: join(root, 'state'), XDG_CONFIG_HOME: join(root, 'config') },
    grants: { read: [join(root, 'shown')] },
  };
  const place = () => readPlace(options);
  rememberPlan(place(), planPlace(place(), options.environment));
  return {
    root,
    options,
    place,
    recall: (changes = {}) => recallPlan(readPlace({ ...options, ...changes }), { ...options, ...changes }.environment),
  };
}

describe('a remembered plan', () => {
  test('is the plan that would be made', () => {
    const { place, options, recall } = scene();
    expect(recall()).toEqual(planPlace(place(), options.environment));
  });

  test('is forgotten with its workspace, and no other is', () => {
    const { root, place, options, recall } = scene();
    plant(root, { 'other/': '' });
    forgetPlans(readPlace({ ...options, cwd: join(root, 'other') }));
    expect(recall()).toBeDefined();
    forgetPlans(place());
    expect(recall()).toBeUndefined();
    expect(readdirSync(join(root, 'state/holdfast/plans'))).toEqual([]);
    forgetPlans(readPlace({ ...options, environment: { ...environment, XDG_STATE_HOME: join(root, 'none') } }));
  });

  test.each<[string, (scene: Scene) => void]>([
    ['the user writes a policy', ({ root }) => plant(root, { 'config/holdfast/policy.toml': 'version = 1\n' })],
    ['the project gets a policy', ({ root }) => plant(root, { 'ws/holdfast.toml': 'version = 1\n' })],
    [
      'a granted directory is another one',
      ({ root }) => {
        // Renamed rather than removed, because a new directory often gets the inode of a removed one.
        renameSync(join(root, 'shown'), join(root, 'before'));
        mkdirSync(join(root, 'shown'));
      },
    ],
    [
      'a granted directory becomes a link',
      ({ root }) => {
        rmSync(join(root, 'shown'), { recursive: true });
        symlinkSync('/etc', join(root, 'shown'));
      },
    ],
    ['a granted directory is gone', ({ root }) => rmSync(join(root, 'shown'), { recursive: true })],
    [
      'the workspace is another one',
      ({ root }) => {
        renameSync(join(root, 'ws'), join(root, 'before'));
        mkdirSync(join(root, 'ws'));
      },
    ],
  ])('is forgotten when %s', (_what, change) => {
    const made = scene();
    expect(made.recall()).toBeDefined();
    change(made);
    expect(made.recall()).toBeUndefined();
  });

  test.each<[string, Partial<SessionOptions>]>([
    ['another grant', { grants: { read: ['/usr/share'] } }],
    ['another backend', { backend: 'bubblewrap' }],
    ['a variable that the policy was not asked about', { environment: { ...environment, NEW_TOKEN: 'x' } }],
  ])('does not serve a session with %s', (_what, changes) => {
    const { recall, options } = scene();
    expect(
      recall({
        ...changes,
        ...('environment' in changes ? { environment: { ...options.environment, ...changes.environment } } : {}),
      }),
    ).toBeUndefined();
  });

  test('serves one with other values of known variables', () => {
    const { recall, options } = scene();
    expect(recall({ environment: { ...options.environment, PATH: '/bin' } })).toBeDefined();
  });

  test.each(['', '{}', 'null', '{"inputs":1}', '[', '{"inputs":"x","plan":{}}'])('that holds %j is invalid', (text) => {
    const { root, recall } = scene();
    const directory = join(root, 'state/holdfast/plans');
    for (const name of readdirSync(directory)) writeFileSync(join(directory, name), text);
    expect(recall()).toBeUndefined();
  });

  test('that cannot be kept is not a failure', () => {
    const root = scratchDirectory();
    plant(root, { 'ws/': '', state: 'a file' });
    const options = { cwd: join(root, 'ws'), environment: { XDG_STATE_HOME: join(root, 'state') } };
    const place = readPlace(options);
    expect(() => rememberPlan(place, planPlace(place, options.environment))).not.toThrow();
    expect(recallPlan(place, options.environment)).toBeUndefined();
  });

  test('is where no box sees it', () => {
    const { root, place, options } = scene();
    const plan = planPlace(place(), options.environment);
    expect(plan.template).not.toContain(`"target":"${dirname(join(root, 'state/holdfast/plans'))}"`);
    expect(place().ownDirectories).toContain(join(root, 'state/holdfast'));
  });
});

describe('fillPlan', () => {
  test('inserts the command, the session and the passed variables', () => {
    const made = scene();
    const plan = planPlace(made.place(), made.options.environment);
    const filled = fillPlan(plan, {
      id: 'session-1',
      boxId: 'session-1.box',
      argv: ['a', ''],
      cwd: '/x',
      host: { ...environment, LANG: 'C' },
      trust: { files: [], environment: {} },
      credentials: { files: [], environment: {} },
      shown: nothingShown,
      copies: [],
      environment: { OWN: '1' },
    });
    expect(filled.command).toMatchObject({
      argv: ['a', ''],
      cwd: '/x',
      environment: { PATH: '/usr/bin', HOLDFAST: 'session-1', OWN: '1', TMPDIR: '/tmp' },
    });
    expect(filled.command.environment).not.toHaveProperty('AWS_SECRET_ACCESS_KEY');
    expect(JSON.stringify(filled)).not.toMatch(/@session@|@box@/u);
  });
});

const identity = { device: '1', inode: '1', type: 'directory' } as const;
const bind = (target: string): Mount =>
  ({
    kind: 'bind',
    source: target,
    target,
    access: 'read-write',
    identity,
    ownership: 'owner',
    presence: 'required',
  }) as unknown as Mount;
const mask = (target: string): Mount => ({ kind: 'mask', target, type: 'file' });
const tmpfs = (target: string): Mount => ({ kind: 'tmpfs', target, mode: 0o755, size: 0 });
const file = (target: string): Mount => ({ kind: 'file', target, mode: 0o444, content: '' });
const hidden = (components: readonly string[], except: readonly string[] = []): ProtectedName => ({
  components,
  effect: 'hidden',
  except,
  scope: 'anywhere',
  reason: '',
});
const readOnly: ProtectedName = {
  components: ['run.sh'],
  effect: 'read-only',
  except: [],
  scope: 'anywhere',
  reason: '',
};

interface Names {
  readonly names: readonly ProtectedName[];
  readonly released: readonly string[];
}

function visible(
  shown: readonly Mount[],
  mounts: readonly Mount[],
  { names, released }: Names = { names: [], released: [] },
): readonly string[] {
  const protection = { roots: ['/ws'], shownRoots: [], gitDirectories: [], names, guarded: [], released };
  return visibleMounts(shown, { mounts, protection }).map(({ target }) => target);
}

test.each([
  ['what is in the workspace', [bind('/ws')], ['/ws/a', '/ws/sub/b']],
  ['nothing of what is not mounted', [tmpfs('/'), bind('/ws/sub')], ['/ws/sub/b']],
  ['nothing in what is closed', [bind('/ws'), mask('/ws/sub')], ['/ws/a']],
  ['no closed file', [bind('/ws'), mask('/ws/a')], ['/ws/sub/b']],
  ['what is in an open part of the closed', [bind('/ws'), mask('/ws/sub'), bind('/ws/sub/b')], ['/ws/a', '/ws/sub/b']],
  [
    'what a directory that the box makes lies around',
    [bind('/ws'), { kind: 'directory', target: '/ws/sub', mode: 0o755 } as const],
    ['/ws/a', '/ws/sub/b'],
  ],
  ['nothing of a place that only begins in the same way', [bind('/w')], []],
] as const)('%s', (_what, mounts, expected) => {
  expect(visible([file('/ws/a'), file('/ws/sub/b')], mounts)).toEqual(expected);
});

test.each([
  ['.env', hidden(['.env'])],
  ['.ENV', hidden(['.env'])],
  ['secrets/deep/key.sh', hidden(['secrets'])],
  ['a/secrets/key.sh', hidden(['secrets', '*.sh'])],
] as const)('%s is hidden by its name', (path, name) => {
  expect(visible([file(`/ws/${path}`)], [bind('/ws')], { names: [name], released: [] })).toEqual([]);
  expect(visible([file(`/ws/${path}`)], [bind('/ws')], { names: [name], released: [`/ws/${path}`] })).toHaveLength(
    name.components.includes('secrets') && name.components.length === 1 ? 0 : 1,
  );
});

test.each([
  ['.env.example', hidden(['.env*'], ['*.example'])],
  ['a/b/key.sh', hidden(['secrets', '*.sh'])],
  ['run.sh', readOnly],
] as const)('%s is not', (path, name) => {
  expect(visible([file(`/ws/${path}`)], [bind('/ws')], { names: [name], released: [] })).toEqual([`/ws/${path}`]);
});

test('a directory that is made for approved files has those, and none that are hidden', () => {
  const shown = [tmpfs('/ws/.gemini'), file('/ws/.gemini/settings.json'), file('/ws/.gemini/.env')];
  expect(visible(shown, [bind('/ws')], { names: [hidden(['.env'])], released: [] })).toEqual([
    '/ws/.gemini',
    '/ws/.gemini/settings.json',
  ]);
  expect(visible(shown, [bind('/other')])).toEqual([]);
});

const marks = ['@one@', '@two@'] as const;
const texts = { '@one@': 'a-1.b', '@two@': '$&$1"\\' };

test('a filled template equals its text replaced, each time', () => {
  const text = fc.array(fc.constantFrom('x', '"', '\\', '@one', ...marks)).map((parts) => parts.join(''));
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small' },
      text,
      fc.integer(),
      fc.constant(null),
      fc.array(tie('tree')),
      fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('tree')),
    ),
  }));
  fc.assert(
    fc.property(tree, (value) => {
      const json = JSON.stringify(value);
      const fill = fillableTemplate(json, marks);
      const expected = JSON.parse(
        json
          .replaceAll(marks[0], () => texts[marks[0]])
          .replaceAll(marks[1], () => JSON.stringify(texts[marks[1]]).slice(1, -1)),
      ) as unknown;
      expect(fill(texts)).toEqual(expected);
      expect(fill({ '@one@': '1', '@two@': '2' })).toEqual(
        JSON.parse(json.replaceAll(marks[0], '1').replaceAll(marks[1], '2')),
      );
      expect(fill(texts)).toEqual(expected);
    }),
    { numRuns: rounds(60) },
  );
});

test('fillings are independent, and their shared part cannot be changed', () => {
  const fill = fillableTemplate<{ mounts: { path: string }[]; limits: { kept: number[] } }>(
    '{"mounts":[{"path":"/@one@"}],"limits":{"kept":[1]}}',
    marks,
  );
  const first = fill(texts);
  first.limits.kept.push(2);
  (first.mounts[0] as { path: string }).path = '/';
  const filled = fill(texts);
  expect(filled).toEqual({ mounts: [{ path: '/a-1.b' }], limits: { kept: [1] } });
  expect(() => filled.limits.kept.push(2)).toThrow(TypeError);
  expect(() => ((filled.mounts[0] as { path: string }).path = '/')).toThrow(TypeError);
  expect(() => filled.mounts.pop()).toThrow(TypeError);
  expect(fill({ '@one@': 'other', '@two@': '' })).toEqual({ mounts: [{ path: '/other' }], limits: { kept: [1] } });
});
