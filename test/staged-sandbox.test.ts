import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { Sandbox, type SandboxOptions } from '../src/sandbox/index.ts';
import { Project } from './lib/holdfast.ts';

const create = (project: Project, options: Partial<SandboxOptions> = {}): Promise<Sandbox> =>
  Sandbox.create({ workspace: project.workspace, environment: project.libraryEnvironment, staged: 'new', ...options });
const layers = (project: Project): readonly string[] => readdirSync(join(project.state, 'staged'));
const sh = (script: string): readonly string[] => ['sh', '-c', script];

/** Waits for a file that another command of the same layer makes. */
const until = (file: string): string =>
  `i=0; while [ ! -e ${file} ] && [ $i -lt 200 ]; do sleep 0.05; i=$((i+1)); done; cat ${file}`;

describe('a staged sandbox', () => {
  test('runs parallel commands in one layer: each sees the others’ writes', async () => {
    using project = new Project();
    project.write('kept', 'kept\n');
    await using sandbox = await create(project);
    const [first, second, third] = await Promise.all([
      sandbox.commands.run(sh(`echo one > one; echo 1 >> kept; ${until('two')}`)),
      sandbox.commands.run(sh(`${until('one')}; echo two > two; ${until('three')}`)),
      sandbox.commands.run(sh(`${until('two')}; echo three > three`)),
    ]);
    expect(
      [first, second, third].map(({ exitCode, stdout, stderr }) => [exitCode, String(stdout), String(stderr)]),
    ).toEqual([
      [0, 'two\n', ''],
      [0, 'one\nthree\n', ''],
      [0, 'two\n', ''],
    ]);
    expect(String((await sandbox.commands.run(['cat', 'kept'])).stdout)).toBe('kept\n1\n');
    expect(readdirSync(project.workspace).toSorted()).toEqual(['.git', 'kept']);
    expect(readFileSync(join(project.workspace, 'kept'), 'utf8')).toBe('kept\n');
  });

  test('parallel writers to one file of the host lose no writes', async () => {
    using project = new Project();
    project.write('log', '');
    await using sandbox = await create(project);
    await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        sandbox.commands.run(sh(`for i in $(seq 50); do echo ${index}-$i >> log; done`)),
      ),
    );
    const { stdout } = await sandbox.commands.run(['cat', 'log']);
    expect(new Set(String(stdout).trim().split('\n')).size).toBe(400);
    expect(readFileSync(join(project.workspace, 'log'), 'utf8')).toBe('');
  });

  test('is reviewed by its layer, and continues with it later', async () => {
    using project = new Project();
    const first = await create(project);
    const { layer = '' } = first;
    await first.commands.run(sh('echo x > x'));
    await first.close();
    expect(layers(project)).toEqual([layer]);
    await using second = await create(project, { staged: { into: layer } });
    expect(second.layer).toBe(layer);
    expect(String((await second.commands.run(['cat', 'x'])).stdout)).toBe('x\n');
  });

  test('holds its layer until it is closed, and leaves none without writes', async () => {
    using project = new Project();
    const sandbox = await create(project);
    await sandbox.commands.run(['true']);
    await expect(create(project, { staged: { into: sandbox.layer ?? '' } })).rejects.toMatchObject({
      code: 'HF_STAGED_BUSY',
    });
    expect(layers(project)).toEqual([sandbox.layer]);
    await sandbox.close();
    expect(layers(project)).toEqual([]);
  });

  test('without staging has no layer', async () => {
    using project = new Project();
    await using sandbox = await Sandbox.create({
      workspace: project.workspace,
      environment: project.libraryEnvironment,
    });
    expect(sandbox.layer).toBeUndefined();
    await sandbox.commands.run(sh('echo x > x'));
    expect(readFileSync(join(project.workspace, 'x'), 'utf8')).toBe('x\n');
  });

  test('writes files into the layer too', async () => {
    using project = new Project();
    await using sandbox = await create(project);
    await sandbox.files.write('made', 'text');
    expect(String((await sandbox.commands.run(['cat', 'made'])).stdout)).toBe('text');
    await sandbox.commands.run(sh('echo more > made'));
    expect(String(await sandbox.files.read('made'))).toBe('more\n');
    expect(existsSync(join(project.workspace, 'made'))).toBe(false);
  });

  test('an approved file under an `ask` rule is read, and never written to the host', async () => {
    using project = new Project();
    const asked = project.write('asked', 'host\n');
    project.write(
      '../home/.config/holdfast/policy.toml',
      `version = 1\n[[file]]\nname = "question"\ndecision = "ask"\npaths = ["${asked}"]\n`,
    );
    await using sandbox = await create(project, { approve: () => Promise.resolve('allow') });
    const { stdout } = await sandbox.commands.run(
      sh('cat asked; exec 2>&1; (echo x >> asked); rm asked; mv asked moved; truncate -s 0 asked; chmod 777 asked; ls'),
    );
    expect(String(stdout)).toMatch(/^host\n[^]*Permission denied[^]*\nasked\n$/u);
    expect(readFileSync(asked, 'utf8')).toBe('host\n');
    expect(readdirSync(project.workspace).toSorted()).toEqual(['.git', 'asked']);
  });

  test('a quota ends the running command, and the layer is kept', async () => {
    using project = new Project();
    project.write('../home/.config/holdfast/policy.toml', 'version = 1\n[limits]\nstaged = "5MiB"\n');
    await using sandbox = await create(project);
    await expect(sandbox.commands.run(sh('head -c 20000000 /dev/zero > big; sleep 60'))).rejects.toMatchObject({
      code: 'HF_QUOTA_EXCEEDED',
      details: { id: sandbox.layer, limit: 5 << 20 },
    });
    expect(layers(project)).toEqual([sandbox.layer]);
  });

  test('commands fail with a remedy after their keeper was killed, and the work is there', async () => {
    using project = new Project();
    const sandbox = await create(project);
    await sandbox.commands.run(sh('echo work > work'));
    spawnSync('sh', [
      '-c',
      `for p in $(cat /proc/${process.pid}/task/${process.pid}/children); do tr '\\0' ' ' < /proc/$p/cmdline | grep -q 'holdfast-launch keep' && kill -9 $p; done`,
    ]);
    const failures = await Promise.all(
      Array.from({ length: 3 }, () => sandbox.commands.run(['true']).catch((error: unknown) => error)),
    );
    expect(failures).toContainEqual(
      expect.objectContaining({
        code: 'HF_LAUNCHER_FAILED',
        message: expect.stringContaining('keeps the staged layer mounted'),
        remedy: expect.stringContaining('into'),
      }),
    );
    await sandbox.close();
    await using again = await create(project, { staged: { into: sandbox.layer ?? '' } });
    expect(String((await again.commands.run(['cat', 'work'])).stdout)).toBe('work\n');
  });

  test('refuses a backend that cannot stage, and leaves nothing', async () => {
    using project = new Project();
    await expect(create(project, { backend: 'bubblewrap' })).rejects.toMatchObject({
      code: 'HF_GUARANTEE_MISSING',
      details: { missing: ['fs.stage'] },
    });
    expect(existsSync(join(project.state, 'staged'))).toBe(false);
  });
});
