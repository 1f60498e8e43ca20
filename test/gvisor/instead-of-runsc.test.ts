import { once } from 'node:events';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nativeBackend } from '../../src/backends/native/native.ts';
import type { BindMount, Mount } from '../../src/plan/mount.ts';
import type { Plan } from '../../src/plan/types.ts';
import { repository } from '../lib/holdfast.ts';

const workspace = mkdtempSync('/var/tmp/holdfast-nested-');
beforeAll(() => {
  mkdirSync(join(workspace, '.git'));
  for (const name of ['.env', '.git/config']) writeFileSync(join(workspace, name), 'before\n');
});
afterAll(() => rmSync(workspace, { recursive: true, force: true }));

function bind(path: string, access: BindMount['access']): BindMount {
  const { dev, ino } = statSync(path, { bigint: true });
  return {
    kind: 'bind',
    source: path,
    target: path,
    access,
    ownership: 'as-is',
    identity: { device: String(dev), inode: String(ino), type: statSync(path).isDirectory() ? 'directory' : 'file' },
    presence: 'required',
  };
}

function system(path: string): readonly Mount[] {
  if (!existsSync(path)) return [];
  return lstatSync(path).isSymbolicLink()
    ? [{ kind: 'symlink', target: path, to: readlinkSync(path) }]
    : [bind(path, 'read-only')];
}

/** The box of this backend with a shell in place of gVisor's runtime, as after an escape from it. */
function planOf(script: string): Plan {
  return {
    command: {
      argv: ['/bin/sh', '-c', script],
      cwd: workspace,
      environment: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin' },
    },
    mounts: [
      { kind: 'proc', target: '/proc' },
      { kind: 'devices', target: '/dev', shmSize: 1 << 20 },
      { kind: 'tmpfs', target: '/tmp', mode: 0o1777, size: 1 << 20 },
      ...['/usr', '/bin', '/sbin', '/lib', '/lib64'].flatMap(system),
      bind(workspace, 'read-write'),
      bind(join(workspace, '.git'), 'read-only'),
      { kind: 'mask', target: join(workspace, '.env'), type: 'file' },
    ],
    protection: { roots: [], gitDirectories: [], shownRoots: [], guarded: [], released: [], names: [] },
    landlock: { minimumAbi: 0, execution: 'any', rules: [] },
    seccomp: { ptrace: 'allow', nesting: 'runtime' },
    notify: { kind: 'none' },
    programs: [],
    limits: { wall: 20_000, grace: 100, cgroups: [] },
    network: { kind: 'closed' },
    requires: [],
  };
}

test('an escape from gVisor may mount, but removes no mount of the box', {
  timeout: 60_000,
}, async () => {
  const attacks = {
    unhide: 'umount -l .env',
    uncover: 'umount -l .git',
    leave: `umount -l ${workspace}`,
    elsewhere: `mount --rbind ${workspace} /tmp && umount -l /tmp/.env`,
    'bare copy': `mount --bind ${workspace} /dev/shm`,
    writable: 'mount -o remount,bind,rw .git',
    'writable system': 'mount -o remount,bind,rw /usr',
    'writable proc': 'mount -t proc proc /tmp',
    'control groups': 'mount -t cgroup2 c /tmp',
    'control groups of old': 'mount -t cgroup -o memory c /tmp',
    'kernel files': 'mount -t sysfs s /tmp',
    device: 'mknod /tmp/disk b 254 0',
    'end of the box': 'kill -9 1 && sleep 1 && false',
    write: 'echo x > .git/config',
  };
  const script = `mount -t tmpfs t /dev/shm && echo mounts && umount /dev/shm\n${Object.entries(attacks)
    .map(([name, attack]) => `(${attack}) 2> /dev/null && echo '${name} worked'\n`)
    .join('')}cat .env\ntrue`;
  const box = nativeBackend.start(planOf(script), {
    launcher: join(repository, 'native/build/holdfast-launch'),
    stdio: ['ignore', 'pipe', 'ignore'],
    stderr: 'direct',
  });
  let said = '';
  box.process.stdout?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  await Promise.all([once(box.process, 'close'), box.outcome]);
  expect(said).toBe('mounts\n');
  expect(readFileSync(join(workspace, '.git/config'), 'utf8')).toBe('before\n');
});
