import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { FileIdentity, Mount } from '../../plan/mount.ts';
import { resolveProgram } from './resolve-program.ts';

const root = mkdtempSync('/var/tmp/holdfast-resolve-');
const [system, workspace, cache, hidden] = ['system', 'workspace', 'cache', 'hidden'].map((name) =>
  join(root, name),
) as [string, string, string, string];
for (const directory of [system, workspace, cache, hidden, join(workspace, 'node_modules/.bin')])
  mkdirSync(directory, { recursive: true });
const program = (path: string): void => writeFileSync(path, '', { mode: 0o755 });
for (const path of [
  'system/git',
  'system/node',
  'workspace/git',
  'workspace/node_modules/.bin/git',
  'cache/git',
  'hidden/git',
  'hidden/only',
  'workspace/build.sh',
])
  program(join(root, path));
writeFileSync(join(system, 'text'), '');
chmodSync(join(system, 'text'), 0o644);
mkdirSync(join(system, 'directory'));
symlinkSync(join(workspace, 'git'), join(system, 'linked'));
symlinkSync(join(system, 'git'), join(workspace, 'link-to-git'));
symlinkSync('git', join(system, 'alias'));
symlinkSync(system, join(root, 'bin'));
afterAll(() => rmSync(root, { recursive: true }));

const identity: FileIdentity = { device: '1', inode: '1', type: 'directory' };
const bind = (target: string, access: 'read-only' | 'read-write'): Mount => ({
  kind: 'bind',
  source: target,
  target,
  access,
  ownership: 'as-is',
  identity,
  presence: 'required',
});
const mounts: readonly Mount[] = [
  bind(system, 'read-only'),
  { kind: 'symlink', target: join(root, 'bin'), to: system },
  bind(workspace, 'read-write'),
  { kind: 'overlay', lower: cache, target: cache, identity },
  { kind: 'tmpfs', target: hidden, mode: 0o755, size: 0 },
];

const found = (name: string, path: string, cwd = workspace) => resolveProgram(name, { path, cwd, mounts });

describe('a bare name', () => {
  test('is looked for in the order of PATH', () => {
    expect(found('git', `${system}:${workspace}`)).toEqual({ kind: 'found', path: join(system, 'git') });
    expect(found('git', `/no/such:${system}`)).toEqual({ kind: 'found', path: join(system, 'git') });
  });

  test.each([workspace, join(workspace, 'node_modules/.bin'), cache])(
    'in %s is one that the box could have written',
    (directory) => {
      expect(found('git', `${directory}:${system}`)).toEqual({ kind: 'planted', path: join(directory, 'git') });
    },
  );

  test('that is a link into the workspace is planted, too', () => {
    expect(found('linked', system)).toEqual({ kind: 'planted', path: join(system, 'linked') });
    expect(found('link-to-git', workspace)).toMatchObject({ kind: 'planted' });
  });

  test('that is a link within the system is not', () => {
    expect(found('alias', system)).toEqual({ kind: 'found', path: join(system, 'alias') });
  });

  test.each(['', '.', ':', 'node_modules/.bin', './', 'system'])('is never taken from %j', (path) => {
    expect(found('git', path)).toEqual({ kind: 'missing' });
    expect(found('git', `${path}:${system}`)).toEqual({ kind: 'found', path: join(system, 'git') });
  });

  test.each(['text', 'directory', 'nothing', ''])('%j is no program', (name) => {
    expect(found(name, system)).toEqual({ kind: 'missing' });
  });

  test('that the box does not see is not there', () => {
    expect(found('git', `${hidden}:${system}`)).toEqual({ kind: 'found', path: join(system, 'git') });
    expect(found('only', hidden)).toEqual({ kind: 'missing' });
  });

  test('is known by the name that it has without links on the way', () => {
    expect(found('git', join(root, 'bin'))).toEqual({ kind: 'found', path: join(realpathSync(system), 'git') });
  });
});

describe('a path', () => {
  test.each([
    ['./build.sh', { kind: 'planted', path: join(workspace, 'build.sh') }],
    [join(system, 'git'), { kind: 'found', path: join(system, 'git') }],
    ['../system/git', { kind: 'found', path: join(system, 'git') }],
    [join(system, '..', 'system', 'git'), { kind: 'found', path: join(system, 'git') }],
    ['./nothing', { kind: 'missing' }],
    ['/proc/self/root/usr/bin/nothing-here', { kind: 'missing' }],
  ])('%s', (name, expected) => {
    expect(found(name, system)).toEqual(expected);
  });

  test('that starts nobody knows where', () => {
    expect(found('./build.sh', system, 'unknown')).toEqual({ kind: 'missing' });
    expect(found(join(system, 'git'), system, 'unknown')).toMatchObject({ kind: 'found' });
  });
});
