import { expect, test } from 'vitest';
import type { Mount, ProtectedName } from '../../plan/index.ts';
import { visibleMounts } from './visible-mounts.ts';

const identity = { device: '1', inode: '1', type: 'directory' } as const;
const bind = (target: string): Mount => ({ kind: 'bind', source: target, target, access: 'read-write', identity, ownership: 'owner', presence: 'required' }) as unknown as Mount;
const mask = (target: string): Mount => ({ kind: 'mask', target, type: 'file' });
const tmpfs = (target: string): Mount => ({ kind: 'tmpfs', target, mode: 0o755, size: 0 });
const file = (target: string): Mount => ({ kind: 'file', target, mode: 0o444, content: '' });
const hidden = (components: readonly string[], except: readonly string[] = []): ProtectedName => ({ components, effect: 'hidden', except, scope: 'anywhere', reason: '' });
const readOnly: ProtectedName = { components: ['run.sh'], effect: 'read-only', except: [], scope: 'anywhere', reason: '' };

interface Names {
  readonly names: readonly ProtectedName[];
  readonly released: readonly string[];
}

function visible(shown: readonly Mount[], mounts: readonly Mount[], { names, released }: Names = { names: [], released: [] }): readonly string[] {
  const protection = { roots: ['/ws'], shownRoots: [], gitDirectories: [], names, guarded: [], released };
  return visibleMounts(shown, { mounts, protection }).map(({ target }) => target);
}

test.each([
  ['what lies in the workspace', [bind('/ws')], ['/ws/a', '/ws/sub/b']],
  ['nothing of what is not mounted', [tmpfs('/'), bind('/ws/sub')], ['/ws/sub/b']],
  ['nothing in what is closed', [bind('/ws'), mask('/ws/sub')], ['/ws/a']],
  ['no closed file', [bind('/ws'), mask('/ws/a')], ['/ws/sub/b']],
  ['what lies in an open part of the closed', [bind('/ws'), mask('/ws/sub'), bind('/ws/sub/b')], ['/ws/a', '/ws/sub/b']],
  ['what a directory that the box makes lies around', [bind('/ws'), { kind: 'directory', target: '/ws/sub', mode: 0o755 } as const], ['/ws/a', '/ws/sub/b']],
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
  expect(visible([file(`/ws/${path}`)], [bind('/ws')], { names: [name], released: [`/ws/${path}`] })).toHaveLength(name.components.includes('secrets') && name.components.length === 1 ? 0 : 1);
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
  expect(visible(shown, [bind('/ws')], { names: [hidden(['.env'])], released: [] })).toEqual(['/ws/.gemini', '/ws/.gemini/settings.json']);
  expect(visible(shown, [bind('/other')])).toEqual([]);
});
