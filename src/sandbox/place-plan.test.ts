import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readPlace, type Place, type SessionOptions } from './place.ts';
import { fillPlan, type PlacePlan } from './place-plan.ts';
import { planPlace } from './planner.ts';
import { forgetPlans, recallPlan, rememberPlan } from './remembered-plan.ts';
import { nothingShown } from './trust/types.ts';
import { plant, scratchDirectory } from './testing/scratch.ts';

interface Scene {
  readonly root: string;
  readonly options: SessionOptions;
  readonly place: () => Place;
  /** What a later session with these options remembers of the plan that was made first. */
  readonly recall: (changes?: Partial<SessionOptions>) => PlacePlan | undefined;
}

const environment = { PATH: '/usr/bin', AWS_SECRET_ACCESS_KEY: 'secret' };

/** A place whose plan was made and remembered. */
function scene(): Scene {
  const root = scratchDirectory();
  plant(root, { 'ws/': '', 'shown/': '' });
  const options: SessionOptions = { cwd: join(root, 'ws'), environment: { ...environment, XDG_STATE_HOME: join(root, 'state'), XDG_CONFIG_HOME: join(root, 'config') }, grants: { read: [join(root, 'shown')] } };
  const place = () => readPlace(options);
  rememberPlan(place(), planPlace(place(), options.environment));
  return { root, options, place, recall: (changes = {}) => recallPlan(readPlace({ ...options, ...changes }), { ...options, ...changes }.environment) };
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
    ['a granted directory is another one', ({ root }) => {
      // Kept, because a new directory often gets the inode of one that was removed.
      renameSync(join(root, 'shown'), join(root, 'before'));
      mkdirSync(join(root, 'shown'));
    }],
    ['a granted directory becomes a link', ({ root }) => {
      rmSync(join(root, 'shown'), { recursive: true });
      symlinkSync('/etc', join(root, 'shown'));
    }],
    ['a granted directory is gone', ({ root }) => rmSync(join(root, 'shown'), { recursive: true })],
    ['the workspace is another one', ({ root }) => {
      renameSync(join(root, 'ws'), join(root, 'before'));
      mkdirSync(join(root, 'ws'));
    }],
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
    expect(recall({ ...changes, ...('environment' in changes ? { environment: { ...options.environment, ...changes.environment } } : {}) })).toBeUndefined();
  });

  test('serves one with other values of known variables', () => {
    const { recall, options } = scene();
    expect(recall({ environment: { ...options.environment, PATH: '/bin' } })).toBeDefined();
  });

  test.each(['', '{}', 'null', '{"inputs":1}', '[', '{"inputs":"x","plan":{}}'])('that holds %j is none', (text) => {
    const { root, recall } = scene();
    const directory = join(root, 'state/holdfast/plans');
    for (const name of readdirSync(directory)) writeFileSync(join(directory, name), text);
    expect(recall()).toBeUndefined();
  });

  test('that cannot be kept is no failure', () => {
    const root = scratchDirectory();
    plant(root, { 'ws/': '', state: 'a file' });
    const options = { cwd: join(root, 'ws'), environment: { XDG_STATE_HOME: join(root, 'state') } };
    const place = readPlace(options);
    expect(() => rememberPlan(place, planPlace(place, options.environment))).not.toThrow();
    expect(recallPlan(place, options.environment)).toBeUndefined();
  });

  test('lies where no box sees it', () => {
    const { root, place, options } = scene();
    const plan = planPlace(place(), options.environment);
    expect(plan.template).not.toContain(`"target":"${dirname(join(root, 'state/holdfast/plans'))}"`);
    expect(place().ownDirectories).toContain(join(root, 'state/holdfast'));
  });
});

describe('fillPlan', () => {
  test('puts in the command, the session and what the policy lets through of the host\'s variables', () => {
    const made = scene();
    const plan = planPlace(made.place(), made.options.environment);
    const filled = fillPlan(plan, { id: 'session-1', boxId: 'session-1.box', argv: ['a', ''], cwd: '/x', host: { ...environment, LANG: 'C' }, trust: { files: [], environment: {} }, credentials: { files: [], environment: {} }, shown: nothingShown, environment: { OWN: '1' } });
    expect(filled.command).toMatchObject({ argv: ['a', ''], cwd: '/x', environment: { PATH: '/usr/bin', HOLDFAST: 'session-1', OWN: '1', TMPDIR: '/tmp' } });
    expect(filled.command.environment).not.toHaveProperty('AWS_SECRET_ACCESS_KEY');
    expect(JSON.stringify(filled)).not.toMatch(/@session@|@box@/u);
  });
});
