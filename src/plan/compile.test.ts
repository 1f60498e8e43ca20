import { describe, expect, test } from 'vitest';
import { policyFrom } from '../policy/testing/policies.ts';
import { compilePlan, planDemands, planLandlock } from './compile.ts';
import { everyBox } from './levels.ts';
import type { FileIdentity } from './mount.ts';
import { sessionFile } from './fixed-paths.ts';
import { describePlan } from './describe.ts';
import { host } from './testing/host.ts';

describe('compilePlan', () => {
  test('is a pure function of policy, facts and options', () => {
    const { policy, facts } = host({ environment: { PATH: '/bin' } });
    const options = { argv: ['a', 'b'], sessionId: 'x', boxId: 'x.1', session: '{}' };
    expect(compilePlan(policy, facts, options)).toEqual(compilePlan(policy, facts, options));
  });

  test('survives JSON', () => {
    const plan = host().plan();
    expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
  });

  test('starts in the working directory, with unchanged words', () => {
    const { policy, facts } = host();
    expect(
      compilePlan(policy, facts, { argv: ['sh', '-c', 'x  y', ''], sessionId: 'x', boxId: 'x.1', session: '{}' })
        .command,
    ).toMatchObject({ argv: ['sh', '-c', 'x  y', ''], cwd: '/home/me/project/sub' });
  });

  test('passes the listed variables, and names the session', () => {
    const environment = {
      PATH: '/bin',
      HOME: '/home/me',
      AWS_SECRET_ACCESS_KEY: 'secret',
      LD_PRELOAD: '/x.so',
      TMPDIR: '/elsewhere',
      GITHUB_TOKEN: 'secret',
    };
    const { command } = host({ environment }).plan();
    expect(command.environment).toMatchObject({
      PATH: '/bin',
      HOME: '/home/me',
      TMPDIR: '/tmp',
      SHLVL: '1',
      HOLDFAST: 'id',
    });
    for (const name of ['AWS_SECRET_ACCESS_KEY', 'LD_PRELOAD', 'GITHUB_TOKEN'])
      expect(command.environment).not.toHaveProperty(name);
  });

  test('package managers try once without a network, and retry soon with one, unless the policy says otherwise', () => {
    const environmentOf = (user: string) => host({ policy: user }).plan().command.environment;
    expect(environmentOf('')).toMatchObject({ npm_config_fetch_retries: '0', PIP_RETRIES: '0' });
    const open = environmentOf('[network]\nhosts = ["example.com"]');
    expect(open).toMatchObject({ npm_config_fetch_retry_maxtimeout: '5000' });
    expect(open).not.toHaveProperty('npm_config_fetch_retries');
    expect(environmentOf('[environment]\nset = { PIP_RETRIES = "3" }')).toMatchObject({ PIP_RETRIES: '3' });
  });

  test('the caller’s variables come last', () => {
    const { policy, facts } = host({ environment: { PATH: '/bin' } });
    expect(
      compilePlan(policy, facts, {
        argv: ['x'],
        sessionId: 'x',
        boxId: 'x.1',
        session: '{}',
        environment: { PATH: '/own', NEW: '1' },
      }).command.environment,
    ).toMatchObject({ PATH: '/own', NEW: '1' });
  });

  test('always requires a closed box, and the further guarantees of the policy', () => {
    const { requires } = host({ policy: '[require]\nguarantees = ["limits.memory", "fs.read"]\n' }).plan();
    expect(requires).toEqual(
      expect.arrayContaining([
        'fs.read',
        'fs.write',
        'fs.deny-in-allow',
        'net.closed',
        'pid',
        'ipc',
        'unix-sockets',
        'abstract-sockets',
        'signals',
        'syscalls',
        'limits.memory',
      ]),
    );
    expect(new Set(requires).size).toBe(requires.length);
  });

  test('shows the session file to the box alone', () => {
    const { mounts } = host().plan();
    expect(mounts.filter(({ target }) => target.startsWith('/run/holdfast'))).toEqual([
      { kind: 'file', target: sessionFile, mode: 0o444, content: '{}' },
    ]);
  });

  test('forbids tracing unless the user allows it', () => {
    expect(host().plan().seccomp).toEqual({ ptrace: 'deny' });
    expect(host({ policy: '[process]\nptrace = "allow"\n' }).plan().seccomp).toEqual({ ptrace: 'allow' });
  });

  test.each(['[commands]\nprograms = "installed"\n', '[require]\nguarantees = ["fs.exec"]\n'])(
    '%j runs installed programs alone',
    (policy) => {
      const plan = host({ policy }).plan();
      expect(plan).toMatchObject({ runnable: 'installed', seccomp: { memoryFiles: 'none' } });
      expect(plan.requires).toContain('fs.exec');
      expect(describePlan(plan, 'x64')).toContain('every file on a mount that the box can write, and files in memory');
    },
  );

  test('a plan does not restrict programs by default', () => {
    for (const policy of ['', '[commands]\nprograms = "any"\n']) {
      const plan = host({ policy }).plan();
      expect(plan.runnable).toBeUndefined();
      expect(plan.requires).not.toContain('fs.exec');
    }
  });
});

describe('describePlan', () => {
  test('names every mount, protected name and limit', () => {
    const plan = host({
      policy: '[files]\nread = ["/srv/a"]\ndeny = ["/srv/a/x"]\n[limits]\nwall = "1m"\n',
      tree: { '/srv/a/x': 'file', '/bin': '-> usr/bin', '/home/me/.npm': 'directory' },
    }).plan();
    const text = describePlan(plan, 'x64');
    for (const { target } of plan.mounts) expect(text).toContain(` ${target}`);
    for (const { components } of plan.protection.names) expect(text).toContain(components.join('/'));
    for (const line of [
      'read-only  /srv/a\n',
      'hidden     /srv/a/x\n',
      'link       /bin -> usr/bin\n',
      'throw-away /home/me/.npm\n',
      'procfs     /proc (read-only)\n',
      'wall 60000\n',
    ])
      expect(text).toContain(line);
  });
});

describe('the demands of a box on its backend', () => {
  test('the guarantees of every box and of its network are required', () => {
    expect(planDemands(policyFrom())).toEqual({ requires: [...everyBox, 'net.closed'] });
    expect(planDemands(policyFrom({ user: '[network]\nhosts = ["example.com"]' })).requires).toContain('net.names');
  });

  test('a backend that a person named is only expected to hold them, except those that someone required in writing', () => {
    const { requires, expects } = planDemands(
      policyFrom({ project: '[require]\nguarantees = ["pid", "limits.cpu"]' }),
      'partial',
    );
    expect(requires).toEqual(['net.closed', 'pid', 'limits.cpu']);
    expect(expects).toEqual(everyBox.filter((guarantee) => guarantee !== 'pid'));
  });

  test('a minimum is required even if a person named the backend', () => {
    expect(planDemands(policyFrom({ user: '[backend]\nminimum = "bubblewrap"' }), 'partial')).toEqual({
      requires: ['net.closed', ...everyBox],
      expects: [],
    });
  });
});

const notify = (policy: string) =>
  host({ policy, tree: { '/home/me/project/asked': 'directory', '/home/me/project/kept': 'directory' } }).plan().notify;
const file = (decision: string, more = ''): string =>
  `[[file]]\nname = "r"\ndecision = "${decision}"\npaths = ["asked"]\n${decision === 'redirect' ? 'redirect_to = "kept"\n' : ''}${more}\n`;
const every = ['opens', 'creations', 'deletions', 'renames', 'truncations', 'metadata'];

const own = ['own-sockets'];

describe('planNotify', () => {
  test.each([
    '',
    file('allow'),
    file('deny'),
    '[sockets]\nallow = ["/run/app.sock"]\n',
    '[[signal]]\nname = "s"\ndecision = "allow"\n',
  ])('a guard is enough under %j', (policy) => {
    expect(notify(policy)).toEqual({ kind: 'guard', groups: ['creations', 'connections', 'watches'] });
  });

  test.each(['ask', 'redirect', 'stage', 'audit'])('%s on files needs all calls about files', (decision) => {
    expect(notify(file(decision))).toEqual({ kind: 'supervisor', groups: [...every, ...own] });
  });

  test('a rule that asks about reading needs all calls about files too', () => {
    expect(notify(file('ask', 'operations = ["read"]'))).toEqual({ kind: 'supervisor', groups: [...every, ...own] });
  });

  test('an audit of reading needs opens, and the supervisor guards new names', () => {
    expect(notify(file('audit', 'operations = ["read"]'))).toEqual({
      kind: 'supervisor',
      groups: ['opens', 'creations', ...own],
    });
  });

  test('an audit of a glob grants nothing, and is accepted although such a glob cannot be mounted', () => {
    const audit = file('audit', '').replace('"asked"', '"~/**/*.log"');
    const plan = host({ policy: audit, tree: { '/home/me/other/a.log': 'file' } }).plan();
    const without = host({ policy: '', tree: { '/home/me/other/a.log': 'file' } }).plan();
    expect(plan.mounts).toEqual(without.mounts);
  });

  test.each(['deny', 'audit', 'ask'])('%s on sockets and signals needs their calls', (decision) => {
    expect(notify(`[[socket]]\nname = "s"\ndecision = "${decision}"\naddresses = ["/run/app.sock"]\n`)).toEqual({
      kind: 'supervisor',
      groups: ['creations', ...own, 'sockets'],
    });
    expect(notify(`[[signal]]\nname = "s"\ndecision = "${decision}"\n`)).toEqual({
      kind: 'supervisor',
      groups: ['creations', ...own, 'signals'],
    });
  });

  test.each([
    '[commands]\nask = ["git push"]\n',
    '[commands]\ndeny = ["curl"]\n',
    '[commands]\nallow = ["npm*"]\n',
    '[[exec]]\nname = "e"\ndecision = "audit"\ncommands = ["npm"]\n',
  ])('%j needs executions', (policy) => {
    expect(notify(policy)).toEqual({ kind: 'supervisor', groups: ['creations', ...own, 'executions'] });
  });

  test.each(['[]', '["git"]'])(
    'a list of programs that the kernel enforces needs files in memory too: %s',
    (listed) => {
      expect(notify(`[commands]\nallow = ${listed}\n`)).toEqual({
        kind: 'supervisor',
        groups: ['creations', ...own, 'executions', 'memory-files'],
      });
    },
  );

  test('a strict box compares starting programs, if a rule covers them', () => {
    expect(notify('strict = true\n[commands]\ndeny = ["curl"]\n')).toMatchObject({ started: 'compared' });
    expect(notify('strict = true\n')).not.toHaveProperty('started');
  });

  test('a rule about entering commands alone needs no supervisor in the box', () => {
    expect(notify('[[exec]]\nname = "e"\ndecision = "deny"\ncommands = ["curl"]\ncontext = "direct"\n')).toEqual({
      kind: 'guard',
      groups: ['creations', 'connections', 'watches'],
    });
  });

  test.each([
    ['[files]\nnew_protected = "quarantine"\n', { kind: 'guard', groups: ['connections', 'watches'] }],
    ['[sockets]\nlater = "reach"\n', { kind: 'guard', groups: ['creations', 'watches'] }],
    ['[files]\nnew_protected = "quarantine"\n[sockets]\nlater = "reach"\n', { kind: 'none' }],
  ])('each of the two tasks of the guard can be left out: %j', (policy, expected) => {
    expect(notify(policy)).toEqual(expected);
  });

  test('a project can require a supervisor too', () => {
    expect(host({ project: file('ask') }).plan().notify).toMatchObject({ kind: 'supervisor' });
  });
});

describe('a path that the supervisor opens is closed to the box itself', () => {
  const at = (policy: string): unknown => {
    const planned = host({ policy, tree: { '/home/me/project/asked': 'directory' } });
    return planned.at('/home/me/project/asked').map((mount) => (mount.kind === 'bind' ? mount.access : mount.kind));
  };

  test.each([
    ['ask', '', 'mask'],
    ['redirect', '', 'mask'],
    ['stage', '', 'read-only'],
    ['ask', 'operations = ["read"]', 'mask'],
    ['ask', 'operations = ["write"]', 'read-only'],
    ['ask', 'operations = ["create"]', 'read-only'],
    ['ask', 'operations = ["delete"]', 'read-only'],
    ['redirect', 'operations = ["write", "create"]', 'read-only'],
  ])('%s %s: %s', (decision, more, expected) => {
    expect(at(file(decision, more))).toEqual([expected]);
  });

  test.each(['audit', 'allow'])('%s changes no mount of its path', (decision) => {
    expect(at(file(decision))).toEqual([]);
  });

  test('names at any depth are searched for at the start', () => {
    const names = (decision: string, operations: string) =>
      host({ policy: `[[file]]\nname = "r"\ndecision = "${decision}"\npaths = ["**/*.secret"]\n${operations}` })
        .plan()
        .protection.names.flatMap(({ components, effect }) =>
          components[0] === '*.secret' && effect !== 'suspect' ? [effect] : [],
        );
    expect([names('ask', ''), names('ask', 'operations = ["write"]'), names('stage', ''), names('audit', '')]).toEqual([
      ['hidden'],
      ['read-only'],
      ['read-only'],
      [],
    ]);
  });

  test('a pattern that the kernel cannot enforce is refused, with an alternative', () => {
    expect(() => host({ policy: '[[file]]\nname = "r"\ndecision = "ask"\npaths = ["src/*.key"]\n' })).toThrow(
      /cannot be enforced by the kernel; write "\*\*\/src\/\*\.key"/u,
    );
  });
});

const anything = { execution: 'any', rules: [] } as const;
const identity: FileIdentity = { device: '1', inode: '1', type: 'directory' };

describe('planLandlock', () => {
  test('grants reading everywhere, because unreadable files are absent', () => {
    expect(planLandlock([], anything).rules).toEqual([
      { path: '/', access: 'read' },
      { path: '/dev', access: 'devices' },
      { path: '/dev/shm', access: 'write' },
    ]);
  });

  test('grants writing exactly where a mount is writable', () => {
    const bind = { kind: 'bind', source: '/x', ownership: 'as-is', identity, presence: 'required' } as const;
    const { rules } = planLandlock(
      [
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
      ],
      anything,
    );
    expect(rules.filter(({ access }) => access === 'write').map(({ path }) => path)).toEqual([
      '/dev/shm',
      '/rw',
      '/o',
      '/t',
    ]);
  });

  test('is an optional second layer, except where it alone enforces the list of programs', () => {
    expect(planLandlock([], anything).minimumAbi).toBe(0);
    expect(planLandlock([], { execution: 'listed', rules: [] }).minimumAbi).toBe(1);
  });

  test('of the default policy grants no writes to the system or the home', () => {
    const { landlock } = host().plan();
    expect(landlock.rules.flatMap(({ path, access }) => (access === 'write' ? [path] : []))).toEqual([
      '/dev/shm',
      '/tmp',
      '/var/tmp',
      '/home/me/project',
    ]);
  });
});
