import { describe, expect, test } from 'vitest';
import { planLandlock } from './landlock.ts';
import { host } from './testing/host.ts';
import type { FileIdentity } from './types.ts';

const anything = { execution: 'any', rules: [] } as const;
const identity: FileIdentity = { device: '1', inode: '1', type: 'directory' };

describe('planLandlock', () => {
  test('grants reading everywhere, because what may not be read is not there', () => {
    expect(planLandlock([], anything).rules).toEqual([{ path: '/', access: 'read' }, { path: '/dev', access: 'devices' }, { path: '/dev/shm', access: 'write' }]);
  });

  test('grants writing exactly where a mount can be written', () => {
    const bind = { kind: 'bind', source: '/x', ownership: 'as-is', identity, presence: 'required' } as const;
    const { rules } = planLandlock([
      { ...bind, target: '/rw', access: 'read-write' },
      { ...bind, target: '/ro', access: 'read-only' },
      { kind: 'overlay', lower: '/o', target: '/o', identity },
      { kind: 'tmpfs', target: '/t', mode: 0o700, size: 0 },
      { kind: 'proc', target: '/proc' },
      { kind: 'devices', target: '/dev', shmSize: 0 },
      { kind: 'directory', target: '/d', mode: 0o755 },
      { kind: 'symlink', target: '/l', to: 'd' },
      { kind: 'file', target: '/f', mode: 0o444, content: '' },
      { kind: 'mask', target: '/m', type: 'file' },
    ], anything);
    expect(rules.filter(({ access }) => access === 'write').map(({ path }) => path)).toEqual(['/dev/shm', '/rw', '/o', '/t']);
  });

  test('is a second layer, which may be absent, until it alone holds which programs may run', () => {
    expect(planLandlock([], anything).minimumAbi).toBe(0);
    expect(planLandlock([], { execution: 'listed', rules: [] }).minimumAbi).toBe(1);
  });

  test('of the default policy lets nothing of the system or the home be written', () => {
    const { landlock } = host().plan();
    expect(landlock.rules.flatMap(({ path, access }) => (access === 'write' ? [path] : []))).toEqual(['/dev/shm', '/tmp', '/var/tmp', '/home/me/project']);
  });
});
