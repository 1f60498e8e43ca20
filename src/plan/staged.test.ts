import { describe, expect, test } from 'vitest';
import { planWith } from '../backends/testing/plan.ts';
import type { BindMount, FileIdentity, Mount, OverlayLayer } from './mount.ts';
import { stagedRootsOf, stagePlan, type StagedLayers } from './staged.ts';
import type { NotifyPlan } from './types.ts';

const identity = (type: FileIdentity['type'], inode = '1'): FileIdentity => ({ device: '1', inode, type });
const bind = (source: string, changes: Partial<BindMount> = {}): BindMount => ({
  kind: 'bind',
  source,
  target: source,
  access: 'read-write',
  ownership: 'as-is',
  identity: identity('directory'),
  presence: 'required',
  ...changes,
});
const layer = (name: string): OverlayLayer => ({
  upper: { path: `/state/${name}/upper`, identity: identity('directory', '2') },
  work: { path: `/state/${name}/work`, identity: identity('directory', '3') },
});
const layers: StagedLayers = new Map([
  ['/srv/project', layer('0')],
  ['/srv/project.git', layer('1')],
]);
const staged = (mounts: readonly Mount[]) => stagePlan(planWith({ mounts }), layers);

describe('stagedRootsOf', () => {
  test('names writable directories of the host, and nothing else', () => {
    const mounts: readonly Mount[] = [
      bind('/usr', { access: 'read-only' }),
      bind('/srv/project'),
      bind('/srv/file', { identity: identity('file') }),
      bind('/run/socket', { identity: identity('other') }),
      { kind: 'overlay', lower: '/home/dev/.cache', target: '/home/dev/.cache', identity: identity('directory') },
      { kind: 'tmpfs', target: '/tmp', mode: 0o1777, size: 0 },
      bind('/srv/project.git'),
    ];
    expect(stagedRootsOf({ mounts })).toEqual(['/srv/project', '/srv/project.git']);
  });
});

describe('stagePlan', () => {
  test('replaces a writable directory with an overlay, at the same position', () => {
    const before = [
      bind('/usr', { access: 'read-only' }),
      bind('/srv/project'),
      { kind: 'mask', target: '/srv/project/secret', type: 'file' },
      bind('/srv/project.git'),
    ] as const;
    expect(staged(before).mounts).toEqual([
      before[0],
      {
        kind: 'overlay',
        lower: '/srv/project',
        target: '/srv/project',
        identity: identity('directory'),
        layer: layer('0'),
      },
      before[2],
      {
        kind: 'overlay',
        lower: '/srv/project.git',
        target: '/srv/project.git',
        identity: identity('directory'),
        layer: layer('1'),
      },
    ]);
  });

  test('leaves no writable directory of the host', () => {
    const { mounts } = staged([bind('/srv/project'), bind('/srv/project.git')]);
    expect(stagedRootsOf({ mounts })).toEqual([]);
  });

  test('requires the guarantee, once', () => {
    const plan = planWith({ mounts: [], requires: ['fs.read', 'fs.stage'] });
    expect(stagePlan(plan, layers).requires).toEqual(['fs.read', 'fs.stage']);
    expect(stagePlan({ ...plan, requires: ['fs.read'] }, layers).requires).toEqual(['fs.read', 'fs.stage']);
  });

  test('guards no names until the layer is accepted, and still asks where the policy asks', () => {
    const notified = (notify: NotifyPlan) => stagePlan(planWith({ mounts: [], notify }), layers).notify;
    expect(notified({ kind: 'guard', groups: ['creations', 'connections', 'watches'] })).toEqual({
      kind: 'guard',
      groups: ['connections', 'watches'],
    });
    expect(notified({ kind: 'guard', groups: ['creations'] })).toEqual({ kind: 'none' });
    expect(notified({ kind: 'supervisor', groups: ['opens'] })).toEqual({ kind: 'supervisor', groups: ['opens'] });
  });

  test('changes nothing else', () => {
    const { mounts: _before, requires: _required, ...rest } = planWith({ notify: { kind: 'none' } });
    const {
      mounts: _after,
      requires: _requires,
      ...after
    } = stagePlan(planWith({ mounts: [], notify: { kind: 'none' } }), layers);
    expect(after).toEqual(rest);
  });

  test('a socket stays unchanged', () => {
    const socket = bind('/run/socket', { identity: identity('other') });
    expect(staged([socket]).mounts).toEqual([socket]);
  });

  test.each([
    ['a writable file', bind('/srv/file', { identity: identity('file') }), '/srv/file is a single file'],
    ['a root that the layer lacks', bind('/srv/second'), '/srv/second may be written'],
  ])('refuses %s, and names the guarantee', (_what, mount, message) => {
    expect(() => staged([mount])).toThrow(
      expect.objectContaining({
        code: 'HF_GUARANTEE_MISSING',
        message: expect.stringMatching(new RegExp(`${message}.*fs\\.stage`, 'u')),
        details: { missing: ['fs.stage'] },
      }),
    );
  });
});
