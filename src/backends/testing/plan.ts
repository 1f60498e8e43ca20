import type { FileIdentity, Mount } from '../../plan/mount.ts';
import type { Plan } from '../../plan/types.ts';

export const directory: FileIdentity = { device: '64768', inode: '9007199254740993', type: 'directory' };

/** A plan with one mount of every kind. */
export const fullPlan: Plan = {
  command: {
    argv: ['sh', '-c', 'echo ünïcödé', ''],
    cwd: '/srv/project',
    environment: { PATH: '/usr/bin:/bin', EMPTY: '', TEXT: 'a=b\nc' },
  },
  programs: [],
  mounts: [
    { kind: 'proc', target: '/proc' },
    { kind: 'devices', target: '/dev', shmSize: 512 },
    { kind: 'tmpfs', target: '/tmp', mode: 0o1777, size: 1 << 20 },
    { kind: 'directory', target: '/run', mode: 0o755 },
    { kind: 'symlink', target: '/var/run', to: '../run' },
    {
      kind: 'bind',
      source: '/usr',
      target: '/usr',
      access: 'read-only',
      ownership: 'foreign',
      identity: directory,
      presence: 'optional',
    },
    {
      kind: 'bind',
      source: '/srv/project',
      target: '/srv/project',
      access: 'read-write',
      ownership: 'as-is',
      identity: { ...directory, device: '1' },
      presence: 'required',
    },
    {
      kind: 'bind',
      source: '/run/socket',
      target: '/run/socket',
      access: 'read-only',
      ownership: 'as-is',
      identity: { device: '2', inode: '3', type: 'other' },
      presence: 'required',
    },
    { kind: 'overlay', lower: '/home/me/.npm', target: '/home/me/.npm', identity: directory },
    { kind: 'mask', target: '/srv/project/secret', type: 'directory' },
    { kind: 'mask', target: '/srv/project/key', type: 'file' },
    { kind: 'file', target: '/run/holdfast/session.json', mode: 0o444, content: '{"text":"ü"}' },
  ],
  protection: {
    roots: ['/srv/project', '/srv/bare.git'],
    gitDirectories: ['/srv/bare.git'],
    shownRoots: ['/srv/shown'],
    names: [
      { components: ['.git', 'hooks'], effect: 'read-only', except: [], scope: 'anywhere', reason: 'hooks' },
      {
        components: ['.env*'],
        effect: 'hidden',
        except: ['.env.example', '.env.sample'],
        scope: 'outside-packages',
        reason: 'secrets',
      },
      { components: ['.git'], effect: 'pinned', except: [], scope: 'anywhere', reason: 'git' },
    ],
    guarded: ['/srv/project/tools/hooks'],
    released: ['/srv/project/.env.test'],
  },
  landlock: {
    minimumAbi: 3,
    execution: 'listed',
    rules: [
      { path: '/', access: 'read' },
      { path: '/srv/project', access: 'write' },
      { path: '/dev', access: 'devices' },
      { path: '/usr/bin/cat', access: 'execute' },
    ],
  },
  seccomp: { ptrace: 'deny' },
  notify: { kind: 'none' },
  limits: {
    memory: 1e9,
    processes: 100,
    cpus: 1.5,
    cpuTime: 1500,
    fileSize: 2 ** 40,
    openFiles: 64,
    wall: 60_000,
    grace: 5000,
    privateDisk: 7.9,
    cgroups: [],
  },
  network: { kind: 'closed' },
  requires: ['fs.read'],
};

export function planWith(changes: Partial<Plan>): Plan {
  return { ...fullPlan, ...changes };
}

export function mountOf<K extends Mount['kind']>(kind: K): Extract<Mount, { kind: K }> {
  const found = fullPlan.mounts.find((mount): mount is Extract<Mount, { kind: K }> => mount.kind === kind);
  if (found === undefined) throw new Error(`no ${kind} in the plan`);
  return found;
}
