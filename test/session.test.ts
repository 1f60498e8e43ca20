import { describe, expect, test } from 'vitest';
import { Sandbox } from '../src/sandbox/index.ts';
import { Project } from './lib/holdfast.ts';

function sandboxOf(project: Project): Promise<Sandbox> {
  return Sandbox.create({ workspace: project.workspace, environment: project.libraryEnvironment });
}

describe('a session of the library', () => {
  test('runs commands in turn and collects their output', async () => {
    using project = new Project();
    await using sandbox = await sandboxOf(project);
    const result = await sandbox.commands.run(['sh', '-c', 'cat; echo err >&2; exit 3'], { input: 'in' });
    expect(result).toMatchObject({ exitCode: 3, signal: 0, refusals: [] });
    expect([result.stdout.toString(), result.stderr.toString()]).toEqual(['in', 'err\n']);
  });

  test('runs many in parallel', async () => {
    using project = new Project();
    await using sandbox = await sandboxOf(project);
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) => sandbox.commands.run(['sh', '-c', `sleep 0.1; exit ${index}`])),
    );
    expect(results.map(({ exitCode }) => exitCode)).toEqual(Array.from({ length: 20 }, (_, index) => index));
  });

  test('two instances with different grants live side by side', async () => {
    using project = new Project();
    const file = project.write('../home/notes.txt', 'note');
    await using closed = await sandboxOf(project);
    await using open = await Sandbox.create({
      workspace: project.workspace,
      environment: project.libraryEnvironment,
      grants: { read: [file] },
    });
    const [refused, granted] = await Promise.all([
      closed.commands.run(['cat', file]),
      open.commands.run(['cat', file]),
    ]);
    expect(refused.exitCode).toBe(1);
    expect(granted.stdout.toString()).toBe('note');
  });

  test('streams, signals and aborts', async () => {
    using project = new Project();
    await using sandbox = await sandboxOf(project);
    const handle = sandbox.commands.start(['sh', '-c', 'echo up; exec sleep 4914']);
    await new Promise((resolve) => handle.stdout.once('data', resolve));
    handle.kill('SIGTERM');
    expect(await handle.ended).toMatchObject({ exitCode: 143, signal: 15 });
    const aborted = sandbox.commands.run(['sleep', '4914'], { signal: AbortSignal.timeout(200) });
    expect(await aborted).toMatchObject({ exitCode: 137 });
  });

  test('close ends running commands', async () => {
    using project = new Project();
    const sandbox = await sandboxOf(project);
    const handle = sandbox.commands.start(['sleep', '4914']);
    await sandbox.close();
    expect(await handle.ended).toMatchObject({ exitCode: 137 });
  });

  test('a missing command is a typed error', async () => {
    using project = new Project();
    await using sandbox = await sandboxOf(project);
    await expect(sandbox.commands.run(['no-such-command'])).rejects.toMatchObject({ code: 'HF_COMMAND_NOT_FOUND' });
  });
});

describe('a box that was built before its command', () => {
  const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 150));

  test('protects and hides files that appeared after it was built', async () => {
    using project = new Project();
    await using sandbox = await sandboxOf(project);
    await settled();
    project.write('.env', 'KEY=canary\n');
    project.write('late/.vscode/tasks.json', '{}');
    project.outside('git', ['init', '-q', 'nested']);
    const script =
      'cat .env; echo x >> late/.vscode/tasks.json; echo x > nested/.git/hooks/pre-commit; mv late moved; echo done';
    const result = await sandbox.commands.run(['sh', '-c', script]);
    expect(result.stdout.toString()).toBe('done\n');
    expect(result.stderr.toString()).toMatch(/\.env: Permission denied/u);
    expect(result.quarantined).toEqual([]);
    expect(project.outside('ls', ['-A', 'nested/.git/hooks']).stdout).not.toContain('pre-commit\n');
    expect(project.outside('cat', ['late/.vscode/tasks.json']).stdout).toBe('{}');
  });

  test('protects and hides files that lost their mount after it was built, despite the same name and number', async () => {
    using project = new Project();
    project.write('below/.env', 'KEY=canary\n');
    project.write('below/.vscode/tasks.json', '{}');
    project.write('target', 'KEY=canary\n');
    project.outside('ln', ['-s', 'target', '.env']);
    await using sandbox = await sandboxOf(project);
    await settled();
    project.outside('sh', [
      '-c',
      'mkdir aside && mv below/.env below/.vscode aside && rmdir below && mkdir below && mv aside/.env aside/.vscode below && cp target new && mv new target',
    ]);
    const result = await sandbox.commands.run([
      'sh',
      '-c',
      'cat below/.env .env target; echo x >> below/.vscode/tasks.json; mv below moved; echo done',
    ]);
    expect(result.stdout.toString()).toBe('done\n');
    expect(project.outside('cat', ['below/.vscode/tasks.json']).stdout).toBe('{}');
  });

  test('still refuses the command’s new files', async () => {
    using project = new Project();
    await using sandbox = await sandboxOf(project);
    await settled();
    const result = await sandbox.commands.run(['sh', '-c', 'mkdir .vscode && echo evil > .vscode/tasks.json']);
    expect(result.stderr.toString()).toMatch(/mkdir: .*\.vscode.*: Permission denied/u);
    expect(result.refusals.map(({ request }) => request)).toEqual([
      { kind: 'file', operation: 'create', path: `${project.workspace}/.vscode` },
    ]);
    expect(result.quarantined).toEqual([]);
    expect(project.outside('ls', ['-A']).stdout).not.toContain('.vscode');
  });

  test('reports each refusal, even of a command that ends at once', async () => {
    using project = new Project();
    await using sandbox = await sandboxOf(project);
    const results = await Promise.all(Array.from({ length: 60 }, () => sandbox.commands.run(['mkdir', '.vscode'])));
    expect(results.map(({ refusals }) => refusals.map(({ request }) => request))).toEqual(
      results.map(() => [{ kind: 'file', operation: 'create', path: `${project.workspace}/.vscode` }]),
    );
  });

  test('still quarantines protected names that appear unwatched', async () => {
    using project = new Project();
    await using sandbox = await sandboxOf(project);
    await settled();
    const script = 'import socket; socket.socket(socket.AF_UNIX).bind(".envrc")';
    const result = await sandbox.commands.run(['python3', '-c', script]);
    expect(result.quarantined.map(({ path }) => path)).toEqual([`${project.workspace}/.envrc`]);
  });

  test('gets the command, directory and environment of its own command', async () => {
    using project = new Project();
    project.write('sub/file', '');
    await using sandbox = await sandboxOf(project);
    await settled();
    const result = await sandbox.commands.run(['sh', '-c', 'pwd; echo $ADDED $0 "$@"', 'a b', 'c'], {
      cwd: `${project.workspace}/sub`,
      environment: { ADDED: 'yes' },
    });
    expect(result.stdout.toString()).toBe(`${project.workspace}/sub\nyes a b c\n`);
  });

  test('does not keep its process alive, and ends with it', () => {
    using project = new Project();
    const script = `import { Sandbox } from '${new URL('../src/sandbox/index.ts', import.meta.url).href}';
      const sandbox = await Sandbox.create({ workspace: '${project.workspace}' });
      await sandbox.commands.run(['true']);
      await new Promise((resolve) => setTimeout(resolve, 200));
      console.log('end');
      // Kept by nobody, so that anyone who is kept for other reasons ends by it.
      setTimeout(() => process.exit(9), 5000).unref();`;
    const result = project.outside(process.execPath, ['--input-type=module', '-e', script]);
    expect(result).toMatchObject({ status: 0, stdout: 'end\n' });
    expect(project.outside('pgrep', ['-f', `holdfast-launch.*${project.root}`]).stdout).toBe('');
  });

  test('a killed spare is replaced', async () => {
    using project = new Project();
    await using sandbox = await sandboxOf(project);
    await settled();
    project.outside('sh', ['-c', `for p in $(pgrep -P ${process.pid} holdfast-launch); do kill -9 $p; done`]);
    await settled();
    expect(await sandbox.commands.run(['sh', '-c', 'exit 4'])).toMatchObject({ exitCode: 4 });
  });
});
