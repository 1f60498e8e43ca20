import { describe, expect, test } from 'vitest';
import { Sandbox } from '../src/sandbox/index.ts';
import { Project } from './lib/holdfast.ts';

function sandboxOf(project: Project): Promise<Sandbox> {
  return Sandbox.create({ workspace: project.workspace, environment: project.environment });
}

describe('a session of the library', () => {
  test('runs commands one after the other and collects what they print', async () => {
    using project = new Project();
    await using sandbox = await sandboxOf(project);
    const result = await sandbox.commands.run(['sh', '-c', 'cat; echo err >&2; exit 3'], { input: 'in' });
    expect(result).toMatchObject({ exitCode: 3, signal: 0, refusals: [] });
    expect([result.stdout.toString(), result.stderr.toString()]).toEqual(['in', 'err\n']);
  });

  test('runs many at once', async () => {
    using project = new Project();
    await using sandbox = await sandboxOf(project);
    const results = await Promise.all(Array.from({ length: 20 }, (_, index) => sandbox.commands.run(['sh', '-c', `sleep 0.1; exit ${index}`])));
    expect(results.map(({ exitCode }) => exitCode)).toEqual(Array.from({ length: 20 }, (_, index) => index));
  });

  test('two instances with different grants live side by side', async () => {
    using project = new Project();
    const file = project.write('../home/notes.txt', 'note');
    await using closed = await sandboxOf(project);
    await using open = await Sandbox.create({ workspace: project.workspace, environment: project.environment, grants: { read: [file] } });
    const [refused, granted] = await Promise.all([closed.commands.run(['cat', file]), open.commands.run(['cat', file])]);
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

  test('close ends what still runs', async () => {
    using project = new Project();
    const sandbox = await sandboxOf(project);
    const handle = sandbox.commands.start(['sleep', '4914']);
    await sandbox.close();
    expect(await handle.ended).toMatchObject({ exitCode: 137 });
  });

  test('a command that does not exist is a typed error', async () => {
    using project = new Project();
    await using sandbox = await sandboxOf(project);
    await expect(sandbox.commands.run(['no-such-command'])).rejects.toMatchObject({ code: 'HF_COMMAND_NOT_FOUND' });
  });
});
