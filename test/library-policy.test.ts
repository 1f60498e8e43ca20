import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readEvents } from '../src/audit/index.ts';
import { Sandbox } from '../src/sandbox/index.ts';
import { Project } from './lib/holdfast.ts';
import { tcpServer } from './network/lib/servers.ts';

const create = (project: Project, more: object = {}): Promise<Sandbox> =>
  Sandbox.create({ workspace: project.workspace, environment: project.libraryEnvironment, ...more });
const readOnly = (project: Project, directory: string): string =>
  `version = 1\n[files]\nwrite = ["${project.workspace}/${directory}"]\n`;

describe('a narrowed policy', () => {
  test('applies to later commands, and to files', async () => {
    using project = new Project();
    project.write('open/file', '');
    await using sandbox = await create(project);
    // So that a box of the old policy is waiting.
    await sandbox.commands.run(['true']);
    await expect.poll(() => sandbox.metrics().started).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await sandbox.files.write('before', 'x');
    const narrowing = sandbox.policy.narrow(readOnly(project, 'open'));
    expect(await narrowing).toEqual({ wider: [], ended: [], connections: 'kept' });
    const result = await sandbox.commands.run(['sh', '-c', 'echo x > open/new; echo x > closed; cat open/new']);
    expect(result.stdout.toString()).toBe('x\n');
    expect(result.stderr.toString()).toContain('closed');
    await expect(sandbox.files.write('after', 'x')).rejects.toThrow();
    await sandbox.files.write('open/after', 'x');
    expect(project.outside('ls', []).stdout).not.toMatch(/closed|after/u);
    expect(
      (await sandbox.policy.decide({ kind: 'file', operation: 'write', path: `${project.workspace}/closed` })).decision,
    ).toBe('deny');
    expect(sandbox.policy.current().texts.map(({ kind, file }) => `${kind} ${file}`)).toContain('session narrowed-1');
  });

  test('names the commands that keep their earlier policy, or ends them', async () => {
    using project = new Project();
    project.write('open/file', '');
    await using sandbox = await create(project);
    const kept = sandbox.commands.start(['sh', '-c', 'read line; echo x > wide'], { output: 'kept' });
    expect(await sandbox.policy.narrow(readOnly(project, 'open'))).toMatchObject({ wider: [kept.id], ended: [] });
    kept.stdin.end('go\n');
    expect(await kept.ended).toMatchObject({ exitCode: 0 });
    const ended = sandbox.commands.start(['sleep', '4914'], { output: 'kept' });
    expect(await sandbox.policy.narrow('version = 1\nnetwork.hosts = []', { running: 'end' })).toMatchObject({
      wider: [],
      ended: [ended.id],
      connections: 'cut',
    });
    expect(await ended.ended).toMatchObject({ exitCode: 137 });
    const told = readEvents(join(project.state, 'journal.jsonl')).filter(({ type }) => type === 'policy.narrow');
    expect(told).toMatchObject([
      { wider: [kept.id], ended: [] },
      { wider: [], ended: [ended.id], policy: sandbox.policy.current().digest },
    ]);
  });

  test('stays the same when the layer is invalid, or would allow more', async () => {
    using project = new Project();
    await using sandbox = await create(project);
    const { digest } = sandbox.policy.current();
    await expect(sandbox.policy.narrow('version = 1\nunknown = 1')).rejects.toMatchObject({
      code: 'HF_POLICY_INVALID',
    });
    await expect(
      sandbox.policy.narrow(
        'version = 1\n[files]\nread = ["/root/.ssh/id_rsa"]\n[network]\nhosts = ["evil.example:443"]',
      ),
    ).rejects.toMatchObject({ code: 'HF_USAGE', details: { wider: ['/root/.ssh/id_rsa', 'evil.example:443'] } });
    expect(sandbox.policy.current().digest).toBe(digest);
    expect(await sandbox.commands.run(['sh', '-c', 'echo x > file'])).toMatchObject({ exitCode: 0 });
  });

  test.each([
    ['read', '~/.ssh/id_rsa'],
    ['write', '~/elsewhere'],
    ['write', '.git/hooks'],
  ])('rejects a list of %s with %s, which it did not allow', async (operation, pattern) => {
    using project = new Project();
    await using sandbox = await create(project);
    await expect(
      sandbox.policy.narrow(`version = 1\n[files]\n${operation} = ["src", "${pattern}"]`),
    ).rejects.toMatchObject({ code: 'HF_USAGE', details: { wider: [pattern] } });
  });

  test('rejects a wildcard of hosts that is wider than the allowed one', async () => {
    using project = new Project();
    await using sandbox = await create(project, { grants: { hosts: ['*.a.example', 'b.example'] } });
    await expect(
      sandbox.policy.narrow('version = 1\nnetwork.hosts = ["*.a.example", "*.b.example", "*.example"]'),
    ).rejects.toMatchObject({ code: 'HF_USAGE', details: { wider: ['*.b.example', '*.example'] } });
    await sandbox.policy.narrow('version = 1\nnetwork.hosts = ["*.a.example"]');
  });

  test('stays the same if nothing here can enforce the layer', async () => {
    using project = new Project();
    await using sandbox = await create(project);
    const { digest } = sandbox.policy.current();
    await expect(sandbox.policy.narrow('version = 1\n[require]\nguarantees = ["fs.stage"]')).rejects.toMatchObject({
      code: 'HF_GUARANTEE_MISSING',
    });
    expect(sandbox.policy.current().digest).toBe(digest);
    expect(await sandbox.commands.run(['true'])).toMatchObject({ exitCode: 0 });
  });

  test('applies to existing one-shot workers, used and unused, and to their own limits', async () => {
    using project = new Project();
    for (const name of ['a', 'b']) project.write(`${name}/file`, '');
    await using sandbox = await create(project);
    const used = await sandbox.files.oneShot({ write: ['a', 'b'] });
    await used.write('b/before', 'x');
    const unused = await sandbox.files.oneShot({ write: ['a', 'b'] });
    const inner = await used.oneShot({ write: ['b'] });
    await inner.write('b/inner', 'x');
    const read = await sandbox.files.oneShot({ read: [project.workspace] });
    await read.write('b/read', 'x');
    await sandbox.policy.narrow(readOnly(project, 'a'));
    for (const files of [used, unused, inner, read]) await expect(files.write('b/after', 'x')).rejects.toThrow();
    await expect(read.write('b/read', 'y')).rejects.toThrow();
    expect(project.outside('ls', ['b']).stdout).not.toContain('after');
    expect(project.outside('cat', ['b/read']).stdout).toBe('x');
  });

  test('is narrowed by each of many parallel layers', async () => {
    using project = new Project();
    for (const name of ['a', 'b', 'c']) project.write(`${name}/file`, '');
    await using sandbox = await create(project);
    const allow = (names: readonly string[]): string =>
      `version = 1\n[files]\nwrite = ${JSON.stringify(names.map((name) => `${project.workspace}/${name}`))}\n`;
    await Promise.all([
      sandbox.policy.narrow(allow(['a', 'b', 'c'])),
      sandbox.policy.narrow(allow(['a', 'b'])),
      sandbox.policy.narrow(allow(['a'])),
    ]);
    await sandbox.commands.run(['sh', '-c', 'for each in a b c; do echo x > $each/new; done']);
    expect(['a', 'b', 'c'].map((name) => project.outside('ls', [name]).stdout.includes('new'))).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('refuses commands from then on', async () => {
    using project = new Project();
    await using sandbox = await create(project);
    await sandbox.commands.run(['date']);
    await sandbox.policy.narrow('version = 1\n[[exec]]\nname = "no-dates"\ndecision = "deny"\ncommands = ["date"]\n');
    await expect(sandbox.commands.run(['date'])).rejects.toMatchObject({ code: 'HF_COMMAND_REFUSED' });
  });

  test('refuses commands that wait for their turn', async () => {
    using project = new Project();
    await using sandbox = await create(project);
    const ahead = Array.from({ length: 60 }, () => sandbox.commands.start(['true']));
    const waiting = sandbox.commands.start(['touch', 'made']);
    await sandbox.policy.narrow('version = 1\n[[exec]]\nname = "no-touch"\ndecision = "deny"\ncommands = ["touch"]\n');
    await expect(waiting.ended).rejects.toMatchObject({ code: 'HF_COMMAND_REFUSED' });
    expect(new Set((await Promise.all(ahead.map(({ ended }) => ended))).map(({ exitCode }) => exitCode))).toEqual(
      new Set([0]),
    );
    expect(project.outside('ls', []).stdout).not.toContain('made');
  });

  test('ends connections, even in running commands, and allows no new ones', async () => {
    using project = new Project();
    const { port } = await tcpServer((socket) => void socket.on('error', () => undefined).write('hello'));
    await using sandbox = await create(project, { grants: { hosts: [`localhost:${port}`] } });
    const script = `import socket, sys
s = socket.create_connection(('localhost', ${port})); print(s.recv(5).decode(), flush=True)
try: print(len(s.recv(5)), flush=True)
except OSError as error: print('cut', flush=True)
try:
  s = socket.create_connection(('localhost', ${port})); print(s.recv(5))
except OSError as error: print('refused', flush=True)`;
    const handle = sandbox.commands.start(['python3', '-c', script]);
    let seen = '';
    let narrowed: Promise<unknown> | undefined;
    for await (const { data } of handle) {
      seen += data.toString();
      if (seen.includes('hello')) narrowed ??= sandbox.policy.narrow('version = 1\nnetwork.hosts = []');
    }
    expect(await narrowed).toMatchObject({ wider: [handle.id], connections: 'cut' });
    expect(seen).toMatch(/^hello\n(?:cut|0)\nrefused\n$/u);
    expect(await sandbox.fetch(`http://localhost:${port}/`)).toMatchObject({
      kind: 'refused',
      refusal: { code: 'policy' },
    });
  });

  test('ends a running fetch', async () => {
    using project = new Project();
    const answering = Promise.withResolvers<void>();
    const { port } = await tcpServer((socket) => {
      socket
        .on('error', () => undefined)
        .write('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 10\r\n\r\nsome');
      answering.resolve();
      // Only an awaited answer would arrive: the rest goes out when the fetch is over.
      setTimeout(() => socket.end('others'), 3000).unref();
    });
    await using sandbox = await create(project, { grants: { hosts: [`localhost:${port}`] } });
    const fetched = sandbox.fetch(`http://localhost:${port}/`);
    await answering.promise;
    await sandbox.policy.narrow('version = 1\nnetwork.hosts = []');
    expect(await fetched).toMatchObject({ kind: 'refused' });
  });

  test('refuses a command that asked for an approval before, after any answer', async () => {
    using project = new Project();
    project.write(
      '../home/.config/holdfast/policy.toml',
      'version = 1\n[[exec]]\nname = "ask-dates"\ndecision = "ask"\ncommands = ["date"]\n',
    );
    const answer = Promise.withResolvers<'allow'>();
    const asked = Promise.withResolvers<void>();
    const approve = async (): Promise<'allow'> => (asked.resolve(), answer.promise);
    await using sandbox = await create(project, { approve });
    const command = sandbox.commands.run(['date']);
    command.catch(() => undefined);
    await asked.promise;
    await sandbox.policy.narrow(readOnly(project, 'nowhere'));
    answer.resolve('allow');
    await expect(command).rejects.toMatchObject({ code: 'HF_COMMAND_REFUSED' });
  });

  test('a staged sandbox cannot be narrowed', async () => {
    using project = new Project();
    await using sandbox = await create(project, { staged: 'new' });
    await expect(sandbox.policy.narrow('version = 1\nnetwork.hosts = []')).rejects.toMatchObject({ code: 'HF_USAGE' });
  });
});
