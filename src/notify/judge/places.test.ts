import { describe, expect, test } from 'vitest';
import type { FileIdentity, Mount } from '../../plan/mount.ts';
import { placesOf } from './places.ts';

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

const places = placesOf([
  { kind: 'proc', target: '/proc' },
  { kind: 'devices', target: '/dev', shmSize: 0 },
  { kind: 'tmpfs', target: '/tmp', mode: 0o1777, size: 0 },
  { kind: 'directory', target: '/run', mode: 0o755 },
  { kind: 'symlink', target: '/bin', to: 'usr/bin' },
  bind('/usr', 'read-only'),
  bind('/srv/project', 'read-write'),
  bind('/srv/project/vendor', 'read-only'),
  { kind: 'overlay', lower: '/home/dev/.cache', target: '/home/dev/.cache', identity },
  { kind: 'mask', target: '/usr/bin/curl', type: 'file' },
  { kind: 'file', target: '/run/holdfast/session.json', mode: 0o444, content: '' },
]);

describe('placesOf', () => {
  test.each([
    '/srv/project',
    '/srv/project/node_modules/.bin/git',
    '/tmp/git',
    '/dev/shm/git',
    '/home/dev/.cache/git',
    '/proc/1/root/git',
  ])('the box could put %s there', (path) => {
    expect(places.isWritable(path)).toBe(true);
    expect(places.isFixed(path)).toBe(false);
  });

  test.each(['/usr/bin/git', '/usr/bin/curl', '/srv/project/vendor/tool'])('%s is fixed', (path) => {
    expect(places.isWritable(path)).toBe(false);
    expect(places.isFixed(path)).toBe(true);
  });

  test.each(['/run/tool', '/srv/projects/git', '/usrs/git', '/run/holdfast/session.json'])(
    '%s is neither writable nor fixed',
    (path) => {
      expect(places.isWritable(path)).toBe(false);
      expect(places.isFixed(path)).toBe(false);
    },
  );
});
