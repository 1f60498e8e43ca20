import { describe, expect, test, vi } from 'vitest';
import { Sandbox, type CommandConnection, type OutputChunk } from '../src/sandbox/index.ts';
import { Project } from './lib/holdfast.ts';

function sandboxOf(project: Project): Promise<Sandbox> {
  return Sandbox.create({ workspace: project.workspace, environment: project.libraryEnvironment });
}

async function chunksOf(connection: CommandConnection): Promise<readonly OutputChunk[]> {
  const chunks: OutputChunk[] = [];
  for await (const chunk of connection) chunks.push(chunk);
  return chunks;
}

function textOf(chunks: readonly OutputChunk[], name: OutputChunk['stream']): string {
  return Buffer.concat(chunks.filter(({ stream }) => stream === name).map(({ data }) => data)).toString();
}

describe('a command by its handle', () => {
  test('an ended command counts as ended before its end is reported', async () => {
    using project = new Project();
    await using sandbox = await sandboxOf(project);
    const handle = sandbox.commands.start(['sh', '-c', 'echo up; read line; exit 7']);
    for await (const { data } of handle) {
      expect(data.toString()).toBe('up\n');
      break;
    }
    handle.stdin.end('go\n');
    await new Promise((resolve) => setImmediate(resolve));
    // No output arrives meanwhile.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
    handle.kill('SIGKILL');
    expect(await handle.ended).toMatchObject({ exitCode: 7, signal: 0 });
  });

  test('is listed while it runs, with its ID, host PID and command', async () => {
    using project = new Project();
    await using sandbox = await sandboxOf(project);
    const before = Date.now();
    const handle = sandbox.commands.start(['sh', '-c', 'echo up; cat']);
    for await (const { data } of handle) {
      expect(data.toString()).toBe('up\n');
      break;
    }
    expect(handle.startedAt).toBeGreaterThanOrEqual(before);
    await expect.poll(() => handle.pid, { timeout: 20_000 }).toBeGreaterThan(1);
    const [listed, ...others] = sandbox.commands.list();
    expect(others).toEqual([]);
    expect(listed).toEqual({
      id: handle.id,
      argv: ['sh', '-c', 'echo up; cat'],
      cwd: project.workspace,
      startedAt: handle.startedAt,
      pid: handle.pid,
      state: 'running',
    });
    expect(project.outside('ls', [`/proc/${handle.pid}/ns`]).status).toBe(0);
    handle.stdin.end();
    expect(await handle.ended).toMatchObject({ exitCode: 0, ending: 'exited' });
    expect(sandbox.commands.list()).toEqual([]);
    expect(() => sandbox.commands.get(handle.id)).toThrow(expect.objectContaining({ code: 'HF_COMMAND_UNKNOWN' }));
  });

  test('is not a promise', async () => {
    using project = new Project();
    await using sandbox = await sandboxOf(project);
    expect(sandbox.commands.start(['true'])).not.toHaveProperty('then');
  });

  test('gives both of its streams in one loop, and all of them', async () => {
    using project = new Project();
    await using sandbox = await sandboxOf(project);
    const chunks = await chunksOf(sandbox.commands.start(['sh', '-c', 'head -c 5000000 /dev/zero; echo err >&2']));
    expect([textOf(chunks, 'stdout').length, textOf(chunks, 'stderr')]).toEqual([5_000_000, 'err\n']);
  });

  test('prints no faster than its reader reads', async () => {
    using project = new Project();
    await using sandbox = await sandboxOf(project);
    const handle = sandbox.commands.start(['sh', '-c', 'head -c 50000000 /dev/zero; echo done > finished']);
    const loop = handle[Symbol.asyncIterator]();
    await loop.next();
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(project.outside('ls', []).stdout).not.toContain('finished');
    await loop.return?.();
    expect(await handle.ended).toMatchObject({ exitCode: 0 });
    expect(project.outside('ls', []).stdout).toContain('finished');
  });

  test('is ended by its time limit, and reports that', async () => {
    using project = new Project();
    await using sandbox = await sandboxOf(project);
    expect(await sandbox.commands.run(['sleep', '4914'], { timeoutMs: 100 })).toMatchObject({
      exitCode: 137,
      ending: 'timed-out',
    });
    expect(await sandbox.commands.run(['sleep', '4914'], { signal: AbortSignal.timeout(100) })).toMatchObject({
      exitCode: 137,
      ending: 'aborted',
    });
    await expect(sandbox.commands.run(['true'], { timeoutMs: Number.NaN })).rejects.toMatchObject({ code: 'HF_USAGE' });
  });
});

describe('a command with kept output', () => {
  test('waits for no reader, and each connection gets all of it, even later', async () => {
    using project = new Project();
    await using sandbox = await sandboxOf(project);
    const { id, ended } = sandbox.commands.start(['sh', '-c', 'head -c 300000 /dev/zero; echo err >&2; exit 3'], {
      output: 'kept',
    });
    const during = chunksOf(sandbox.commands.connect(id));
    expect(await ended).toMatchObject({ exitCode: 3 });
    for (const chunks of [await during, await chunksOf(sandbox.commands.connect(id))])
      expect([textOf(chunks, 'stdout').length, textOf(chunks, 'stderr')]).toEqual([300_000, 'err\n']);
    expect(sandbox.commands.get(id)).toMatchObject({ state: 'ended', exitCode: 3 });
  });

  test('keeps the last MiB, and reports the amount of the missing output', async () => {
    using project = new Project();
    await using sandbox = await sandboxOf(project);
    const { id, ended } = sandbox.commands.start(['sh', '-c', 'head -c 3000000 /dev/zero; echo last'], {
      output: 'kept',
    });
    await ended;
    const chunks = await chunksOf(sandbox.commands.connect(id));
    const given = chunks.reduce((sum, { data }) => sum + data.length, 0);
    expect(given).toBeLessThanOrEqual(1024 * 1024);
    expect(given + chunks.reduce((sum, { missing }) => sum + missing, 0)).toBe(3_000_005);
    expect(textOf(chunks, 'stdout').endsWith('last\n')).toBe(true);
  });

  test('reads a later input, and is ended by its ID', async () => {
    using project = new Project();
    await using sandbox = await sandboxOf(project);
    const { id } = sandbox.commands.start(['cat'], { output: 'kept' });
    const connection = sandbox.commands.connect(id);
    const reading = connection[Symbol.asyncIterator]();
    connection.stdin.write('first');
    expect((await reading.next()).value).toMatchObject({ stream: 'stdout', data: Buffer.from('first'), missing: 0 });
    sandbox.commands.kill(id, 'SIGTERM');
    expect(await connection.ended).toMatchObject({ exitCode: 143, signal: 15 });
    expect(await reading.next()).toMatchObject({ done: true });
  });

  test('drops the oldest of many ended ones', async () => {
    using project = new Project();
    await using sandbox = await sandboxOf(project);
    const handles = Array.from({ length: 20 }, () => sandbox.commands.start(['true'], { output: 'kept' }));
    await Promise.all(handles.map(({ ended }) => ended));
    expect(sandbox.commands.list()).toHaveLength(16);
  });
});

describe('large output', () => {
  test('is kept to a limit for each stream, the rest is counted, and the command is not slowed', async () => {
    using project = new Project();
    await using sandbox = await sandboxOf(project);
    const result = await sandbox.commands.run(['sh', '-c', 'head -c 100000000 /dev/zero; printf 12345 >&2; exit 4'], {
      maxOutputBytes: 1000,
    });
    expect(result).toMatchObject({ exitCode: 4, truncated: { stdout: 99_999_000, stderr: 0 } });
    expect([result.stdout.length, result.stderr.toString()]).toEqual([1000, '12345']);
  });

  test('of 100 MB arrives whole on request', async () => {
    using project = new Project();
    await using sandbox = await sandboxOf(project);
    const result = await sandbox.commands.run(['head', '-c', '100000000', '/dev/zero'], {
      maxOutputBytes: 200_000_000,
    });
    expect([result.stdout.length, result.truncated]).toEqual([100_000_000, { stdout: 0, stderr: 0 }]);
  });
});

test('a sandbox closes all of its parts, even if one of them fails', async () => {
  using project = new Project();
  const sandbox = await Sandbox.create({
    workspace: project.workspace,
    environment: project.libraryEnvironment,
    staged: 'new',
  });
  const { network, staging } = sandbox['session'];
  vi.spyOn(network, 'close').mockRejectedValueOnce(new Error('the network cannot be closed'));
  const released = vi.spyOn(staging as NonNullable<typeof staging>, 'close');
  await expect(sandbox.close()).rejects.toThrow('the network cannot be closed');
  expect(released).toHaveBeenCalledOnce();
  await network.close();
});
