import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { binary } from '../lib/holdfast.ts';
import { ClusterScene } from './cluster-scene.ts';

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The program as a person starts it. This process runs the server, so the test must not block on a child. */
function holdfast(scene: ClusterScene, words: readonly string[], input: string | 'kept' = '') {
  const environment = { ...scene.project.environment, KUBECONFIG: scene.kubeconfig };
  const child = spawn(binary, [...words], { cwd: scene.project.workspace, env: environment, stdio: 'pipe' });
  const seen = { stdout: '', stderr: '' };
  child.stdout.on('data', (bytes: Buffer) => (seen.stdout += bytes.toString()));
  child.stderr.on('data', (bytes: Buffer) => (seen.stderr += bytes.toString()));
  if (input !== 'kept') child.stdin.end(input);
  const ended = once(child, 'close').then(([status]): Ended => ({ status: status as number | null, ...seen }));
  return { child, seen, ended };
}

const run = ['cluster', 'run', '--kind', 'pod', '--name', 'agent', '--'] as const;

describe('holdfast cluster', () => {
  test('run: streams, exit status, and a layer for review, accept and undo', async () => {
    using scene = await ClusterScene.open();
    const { status, stdout, stderr } = await holdfast(
      scene,
      [...run, 'sh', '-c', 'cat; echo made > made.txt; echo oops >&2; exit 3'],
      'typed\n',
    ).ended;
    expect({ status, stdout }).toEqual({ status: 3, stdout: 'typed\n' });
    expect(stderr).toMatch(/^oops\nholdfast: 1 path changed, none on the host yet: holdfast review \S+\n$/u);
    expect(scene.api.store.names).toEqual([]);
    const { project } = scene;
    const made = join(project.workspace, 'made.txt');
    expect(project.holdfast(['review', '--stat']).stdout).toContain('made.txt');
    expect(existsSync(made)).toBe(false);
    expect(project.holdfast(['accept']).status).toBe(0);
    expect(readFileSync(made, 'utf8')).toBe('made\n');
    expect(project.holdfast(['undo']).status).toBe(0);
    expect(existsSync(made)).toBe(false);
  });

  test('Ctrl-C goes to the command, and its status comes back', async () => {
    using scene = await ClusterScene.open();
    const { child, seen, ended } = holdfast(
      scene,
      [...run, 'sh', '-c', 'trap "echo bye; exit 130" INT; echo ready; while :; do sleep 0.05; done'],
      'kept',
    );
    await expect.poll(() => seen.stdout).toBe('ready\n');
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ status: 130, stdout: 'ready\nbye\n' });
    expect(scene.api.store.names).toEqual([]);
  });

  test('Ctrl-C before the command has started leaves nothing', async () => {
    using scene = await ClusterScene.open();
    scene.api.node.delay = 600_000;
    const { child, ended } = holdfast(scene, [...run, 'true']);
    await expect.poll(() => scene.api.store.names).toContain('pods/agent');
    child.kill('SIGINT');
    expect(await ended).toEqual({
      status: 130,
      stdout: '',
      stderr: 'holdfast: interrupted; nothing is left in the cluster\n',
    });
    expect(scene.api.store.names).toEqual([]);
  });

  test('at a terminal: keys and the size go to the command, and the terminal is restored', async () => {
    using scene = await ClusterScene.open();
    const words = [binary, ...run, 'head', '-c', '3'].join(' ');
    const script = `stty rows 30 columns 90; stty -a > ../home/before; ${words}; echo "status $?"; stty -a > ../home/after`;
    const environment = { ...scene.project.environment, KUBECONFIG: scene.kubeconfig };
    const child = spawn('script', ['-qec', script, '/dev/null'], {
      cwd: scene.project.workspace,
      env: { ...environment, SHELL: '/bin/sh' },
      stdio: 'pipe',
    });
    let seen = '';
    child.stdout.on('data', (bytes: Buffer) => (seen += bytes.toString()));
    await expect.poll(() => scene.api.streams.sizes).toEqual([{ Width: 90, Height: 30 }]);
    // Ctrl-C is a key here, not a signal.
    child.stdin.write('\u0003a\u0004');
    await once(child, 'close');
    expect(seen).toContain('\u0003a\u0004');
    expect(seen).toContain('status 0\r\n');
    expect(scene.api.seen.filter((line) => line.endsWith('/attach'))).toHaveLength(1);
    expect(scene.api.streams.terminals).toEqual(['exec', 'attach of a terminal', 'exec']);
    const text = (name: string): string => readFileSync(join(scene.project.home, name), 'utf8');
    expect(text('after')).toBe(text('before'));
  });

  test('run --detach, list, logs, exec and stop work, even after the client was killed', async () => {
    using scene = await ClusterScene.open();
    const script = 'echo hello; echo x > x.txt; trap "exit 0" TERM; while :; do sleep 0.05; done';
    const words = ['cluster', 'run', '--kind', 'pod', '--name', 'agent', '--detach', '--', 'sh', '-c', script];
    expect(await holdfast(scene, words).ended).toEqual({ status: 0, stdout: 'agent\n', stderr: '' });
    const listed = await holdfast(scene, ['cluster', 'list']).ended;
    expect(listed.stdout).toMatch(
      /^NAME +KIND +STATE +CREATED +WORKSPACE\nagent +Pod +running +\S+ +of this machine\n$/u,
    );
    expect((await holdfast(scene, ['cluster', 'logs', 'agent']).ended).stdout).toBe('hello\n');
    expect(await holdfast(scene, ['cluster', 'exec', 'agent', '--', 'sh', '-c', 'cat x.txt; exit 6']).ended).toEqual({
      status: 6,
      stdout: 'x\n',
      stderr: '',
    });
    const third = holdfast(scene, ['cluster', 'exec', 'agent', '--', 'sh', '-c', 'echo third; exec sleep 60'], 'kept');
    // At once: the client may not have joined the command yet.
    third.child.stdout.once('data', () => third.child.kill('SIGINT'));
    expect(await third.ended).toEqual({ status: 130, stdout: 'third\n', stderr: '' });
    const stopped = await holdfast(scene, ['cluster', 'stop', 'agent']).ended;
    expect(stopped.stdout).toMatch(/^holdfast: 1 path changed/u);
    expect(scene.api.store.names).toEqual([]);
    const { child, seen, ended } = holdfast(
      scene,
      [...run, 'sh', '-c', 'echo y > y.txt; echo up; exec sleep 60'],
      'kept',
    );
    await expect.poll(() => seen.stdout).toBe('up\n');
    child.kill('SIGKILL');
    await ended;
    expect((await holdfast(scene, ['cluster', 'stop', 'agent']).ended).stdout).toMatch(/1 path changed/u);
    expect(scene.api.store.names).toEqual([]);
  });

  test('stop leaves the changes to another process that runs the command', async () => {
    using scene = await ClusterScene.open();
    const script = 'echo z > z.txt; echo up; trap "exit 9" TERM; while :; do sleep 0.05; done';
    const { seen, ended } = holdfast(scene, [...run, 'sh', '-c', script], 'kept');
    await expect.poll(() => seen.stdout).toBe('up\n');
    expect((await holdfast(scene, ['cluster', 'stop', 'agent']).ended).stdout).toContain('has collected its changes');
    const { status, stderr } = await ended;
    expect({ status, stderr }).toEqual({ status: 9, stderr: expect.stringContaining('1 path changed') as string });
    expect(scene.project.holdfast(['staged', 'list', '--json']).stdout.match(/"id"/gu)).toHaveLength(1);
    expect(scene.api.store.names).toEqual([]);
  });

  test('doctor prints findings, and exits with 1 if something is missing', async () => {
    using scene = await ClusterScene.open();
    expect(await holdfast(scene, ['cluster', 'doctor']).ended).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/held server: Kubernetes v1\.34\.0/u) as string,
    });
    scene.api.denied.add('create pods/exec');
    const { status, stdout } = await holdfast(scene, ['cluster', 'doctor']).ended;
    expect(status).toBe(1);
    expect(stdout).toContain('missing rights: this user may not create pods/exec');
  });

  test('render: a database belongs to the supervisor, and the box gets the variables of its client', async () => {
    using scene = await ClusterScene.open();
    const credential = `name = "db"\nsource = { env = "REAL" }\nhosts = ["db.example.com"]\ninject = { kind = "postgres" }`;
    const url = 'environment = ["DATABASE_URL=postgres://app:{phantom}@db.example.com/app"]';
    const network = '[network]\nhosts = ["db.example.com:5432"]';
    const policy = `version = 1\n${network}\n[[credentials]]\n${credential}\n${url}\n`;
    scene.project.write('../home/.config/holdfast/policy.toml', policy);
    const words = ['cluster', 'render', '--kind', 'pod', '--secret', 'db=keys/db', '--json', '--', 'psql'];
    const { status, stdout } = await holdfast(scene, words).ended;
    expect(status).toBe(0);
    const { items } = JSON.parse(stdout) as {
      readonly items: readonly {
        readonly data?: Readonly<Record<string, string>>;
        readonly spec?: { readonly containers?: readonly { readonly command: readonly string[] }[] };
      }[];
    };
    const command = items.at(-1)?.spec?.containers?.[0]?.command.join(' ');
    expect(command).toContain('--env DATABASE_URL --env PGSSLROOTCERT');
    expect(items[0]?.data?.['box-user.toml']).not.toContain('postgres');
  });

  test.each<[string, readonly string[], RegExp]>([
    ['an unknown verb', ['cluster', 'fly'], /expected render, run, exec/u],
    ['an option of another verb', ['cluster', 'list', '--detach'], /does not know --detach/u],
    ['no command', ['cluster', 'run'], /there is no command to run/u],
    ['no name', ['cluster', 'stop'], /takes one name/u],
    ['a path of this machine', ['cluster', 'run', '--read', '/srv', '--', 'true'], /cannot hold --read/u],
    ['a strict run', ['cluster', 'run', '--strict', '--', 'true'], /cannot hold strict runs/u],
    ['a strict render', ['cluster', 'render', '--strict', '--', 'true'], /cannot hold strict runs/u],
    ['an invalid name', ['cluster', 'stop', 'A,b=c'], /no name of a sandbox/u],
    ['no kubeconfig', ['cluster', 'list', '--kubeconfig', 'none'], /there is no kubeconfig/u],
    ['an unknown sandbox', ['cluster', 'logs', 'nobody'], /there is no sandbox "nobody"/u],
  ])('%s is one line and a remedy', async (...[, words, message]) => {
    using scene = await ClusterScene.open();
    const { status, stderr } = await holdfast(scene, words).ended;
    expect(status).toBe(125);
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^holdfast: [^\n]+\nholdfast: to fix it: [^\n]+ \[HF_[A-Z_]+\]\n$/u);
  });
});

describe('holdfast cluster pool', () => {
  test('up, a run in it, list and down; render prints the same objects', async () => {
    using scene = await ClusterScene.open();
    const up = await holdfast(scene, ['cluster', 'pool', 'up', 'fast', '--size', '1', '--json']).ended;
    expect(JSON.parse(up.stdout)).toMatchObject({ name: 'fast', namespace: 'agents', size: 1, claims: 0 });
    const inPool = ['cluster', 'run', '--pool', 'fast', '--name', 'agent', '--', 'sh', '-c', 'cat; exit 3'];
    expect(await holdfast(scene, inPool, 'typed\n').ended).toMatchObject({ status: 3, stdout: 'typed\n' });
    const other = await holdfast(scene, ['cluster', 'run', '--pool', 'fast', '--host', 'example.com', '--', 'true'])
      .ended;
    expect(other.status).toBe(125);
    expect(other.stderr).toMatch(/^holdfast: the pool "fast" was made for another policy than this run has\n/u);
    await expect
      .poll(async () => (await holdfast(scene, ['cluster', 'pool', 'list']).ended).stdout, { timeout: 20_000 })
      .toMatch(/NAME +READY +RUNS +SHAPE[^]*fast +1\/1 +0 +[0-9a-f]{12}/u);
    const down = await holdfast(scene, ['cluster', 'pool', 'down', 'fast']).ended;
    expect(down.stdout).toBe('SandboxWarmPool/fast\nSandboxTemplate/fast\nNetworkPolicy/fast\n');
    expect(scene.api.store.names).toEqual([]);
    const words = ['cluster', 'pool', 'render', '--namespace', 'agents', '--size', '2', 'fast', '--json'];
    const { items } = JSON.parse((await holdfast(scene, words).ended).stdout) as {
      readonly items: readonly { readonly kind: string; readonly metadata: { readonly labels: object } }[];
    };
    expect(items.map(({ kind }) => kind)).toEqual(['NetworkPolicy', 'SandboxTemplate', 'SandboxWarmPool']);
    expect(items[0]?.metadata.labels).toMatchObject({
      'holdfast.dev/shape': (JSON.parse(up.stdout) as { shape: string }).shape,
    });
  });

  test.each([
    [['cluster', 'pool'], 'expected render, run'],
    [['cluster', 'pool', 'up'], '`cluster pool up` takes one name'],
    [['cluster', 'pool', 'up', 'fast', '--size', 'many'], 'no size of a pool'],
    [['cluster', 'pool', 'down', 'fast', '--size', '2'], 'does not know --size'],
  ])('%j is refused', async (words, said) => {
    using scene = await ClusterScene.open();
    expect((await holdfast(scene, words).ended).stderr).toContain(said);
    expect(scene.api.store.names).toEqual([]);
  });
});
