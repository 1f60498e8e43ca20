import { describe, expect, test } from 'vitest';
import { compilePlan } from './compile.ts';
import { sessionFile } from './session-file.ts';
import { describePlan } from './describe.ts';
import { host } from './testing/host.ts';

describe('compilePlan', () => {
  test('is a pure function of policy, facts and options', () => {
    const { policy, facts } = host({ environment: { PATH: '/bin' } });
    const options = { argv: ['a', 'b'], sessionId: 'x', boxId: 'x.1', session: '{}' };
    expect(compilePlan(policy, facts, options)).toEqual(compilePlan(policy, facts, options));
  });

  test('is JSON, whatever it holds', () => {
    const plan = host().plan();
    expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
  });

  test('starts in the working directory, with the words as they are', () => {
    const { policy, facts } = host();
    expect(compilePlan(policy, facts, { argv: ['sh', '-c', 'x  y', ''], sessionId: 'x', boxId: 'x.1', session: '{}' }).command).toMatchObject({ argv: ['sh', '-c', 'x  y', ''], cwd: '/home/me/project/sub' });
  });

  test('lets through what the policy lists, and says which session it is', () => {
    const environment = { PATH: '/bin', HOME: '/home/me', AWS_SECRET_ACCESS_KEY: 'secret', LD_PRELOAD: '/x.so', TMPDIR: '/elsewhere', GITHUB_TOKEN: 'secret' };
    const { command } = host({ environment }).plan();
    expect(command.environment).toMatchObject({ PATH: '/bin', HOME: '/home/me', TMPDIR: '/tmp', SHLVL: '1', HOLDFAST: 'id' });
    for (const name of ['AWS_SECRET_ACCESS_KEY', 'LD_PRELOAD', 'GITHUB_TOKEN']) expect(command.environment).not.toHaveProperty(name);
  });

  test('what a caller sets comes last', () => {
    const { policy, facts } = host({ environment: { PATH: '/bin' } });
    expect(compilePlan(policy, facts, { argv: ['x'], sessionId: 'x', boxId: 'x.1', session: '{}', environment: { PATH: '/own', NEW: '1' } }).command.environment).toMatchObject({ PATH: '/own', NEW: '1' });
  });

  test('always requires a closed box, and what the policy requires beyond', () => {
    const { requires } = host({ policy: '[require]\nguarantees = ["limits.memory", "fs.read"]\n' }).plan();
    expect(requires).toEqual(expect.arrayContaining(['fs.read', 'fs.write', 'fs.deny-in-allow', 'net.closed', 'pid', 'ipc', 'unix-sockets', 'abstract-sockets', 'signals', 'syscalls', 'limits.memory']));
    expect(new Set(requires).size).toBe(requires.length);
  });

  test('tells the session to the box and nobody else', () => {
    const { mounts } = host().plan();
    expect(mounts.filter(({ target }) => target.startsWith('/run/holdfast'))).toEqual([{ kind: 'file', target: sessionFile, mode: 0o444, content: '{}' }]);
  });

  test('forbids tracing unless the user allows it', () => {
    expect(host().plan().seccomp).toEqual({ ptrace: 'deny' });
    expect(host({ policy: '[process]\nptrace = "allow"\n' }).plan().seccomp).toEqual({ ptrace: 'allow' });
  });
});

describe('describePlan', () => {
  test('names every mount, protected name and limit', () => {
    const plan = host({ policy: '[files]\nread = ["/srv/a"]\ndeny = ["/srv/a/x"]\n[limits]\nwall = "1m"\n', tree: { '/srv/a/x': 'file', '/bin': '-> usr/bin', '/home/me/.npm': 'directory' } }).plan();
    const text = describePlan(plan, 'x64');
    for (const { target } of plan.mounts) expect(text).toContain(` ${target}`);
    for (const { components } of plan.protection.names) expect(text).toContain(components.join('/'));
    for (const line of ['read-only  /srv/a\n', 'hidden     /srv/a/x\n', 'link       /bin -> usr/bin\n', 'throw-away /home/me/.npm\n', 'procfs     /proc (read-only)\n', 'wall 60000\n']) expect(text).toContain(line);
  });
});
