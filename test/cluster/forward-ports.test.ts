import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import type { ClusterForward } from '../../src/cluster/session/forward/forward-to-sandbox.ts';
import { binary } from '../lib/holdfast.ts';
import { ClusterScene } from './cluster-scene.ts';
import { echoOnce, freePort, listening, portOf, shown, sleeping, talk } from './forward-scene.ts';

const session = (scene: ClusterScene, forward: string) => ({
  cwd: scene.project.workspace,
  environment: scene.project.libraryEnvironment,
  grants: { forward: [forward] },
});

describe('selected ports', () => {
  const forwardOf = async (scene: ClusterScene, ports: readonly string[]): Promise<ClusterForward> =>
    (await scene.cluster()).forward('agent', { ports, onNotice: () => undefined });

  test.each([
    ['5432', 'this sandbox does not show port 5432 of its box, but 8080'],
    ['18080', 'does not show port 18080'],
    ['http', 'this is no port: "http"'],
    ['0', 'this is no port: "0"'],
    ['70000:8080', 'this is no port'],
  ])('%s is refused', async (port, said) => {
    using open = await shown(echoOnce);
    await expect(forwardOf(open.scene, [port])).rejects.toThrow(said);
  });

  test('a taken port is one line', async () => {
    using open = await shown(echoOnce);
    await expect(forwardOf(open.scene, [`${open.port}:8080`])).rejects.toThrow(
      `port ${open.port} of this machine cannot be used for port 8080 of the box: another program uses it`,
    );
  });

  test('a run without forwards opens no port, with any message of its pod', async () => {
    using scene = await ClusterScene.open();
    await scene.start(sleeping, { mode: 'detached' });
    await expect(forwardOf(scene, [])).rejects.toThrow('this sandbox shows no port of its box');
    const pod = scene.api.store.get('pods', 'agents', 'agent');
    if (pod === undefined) throw new Error('there is no pod');
    const annotations = { ...pod.metadata.annotations, 'holdfast.dev/forward': '["a:b", "99999", "1:2:3"]' };
    scene.api.store.change('pods', pod, { metadata: { ...pod.metadata, annotations } });
    await expect(forwardOf(scene, [])).rejects.toThrow('this sandbox shows no port of its box');
  });
});

describe('run --forward', () => {
  test('the port exists while the command runs, and its end closes everything', async () => {
    using scene = await ClusterScene.open();
    const server = await listening(echoOnce);
    const port = await freePort();
    scene.api.forwards.targets.set(port, portOf(server));
    const command = await scene.start(['sh', '-c', 'read -r line; exit 4'], { session: session(scene, `${port}:80`) });
    expect(String(await talk(port, 'word'))).toBe('got word');
    await command.write(Buffer.from('now\n'));
    expect(await command.ended).toMatchObject({ kind: 'ended', exitCode: 4 });
    expect(await talk(port, 'x')).toBe('reset');
    expect(scene.api.store.names).toEqual([]);
    server.close();
  });

  test('a taken port is one line, and no object is made', async () => {
    using scene = await ClusterScene.open();
    const server = await listening(echoOnce);
    const wishes = { session: session(scene, `${portOf(server)}:80`) };
    await expect(scene.start(['true'], wishes)).rejects.toThrow(
      /cannot be used for port 80 of the box: another program uses it/u,
    );
    expect(scene.api.seen.filter((line) => line.startsWith('POST'))).toEqual([]);
    server.close();
  });

  test('a failed start closes the port', async () => {
    using scene = await ClusterScene.open();
    const port = await freePort();
    scene.api.denied.add('create pods');
    await expect(scene.start(['true'], { session: session(scene, `${port}:80`) })).rejects.toThrow('may not create');
    expect(await talk(port, 'x')).toBe('reset');
  });

  test('doctor asks for the right only for a policy that forwards a port', async () => {
    using scene = await ClusterScene.open();
    scene.api.denied.add('create pods/portforward');
    const cluster = await scene.cluster();
    const missing = async (forward: readonly string[]): Promise<readonly string[]> => {
      const { findings } = await cluster.doctor({ session: { ...session(scene, '1:1'), grants: { forward } } });
      return findings.filter(({ state }) => state === 'missing').map(({ told }) => told);
    };
    expect(await missing([])).toEqual([]);
    expect(await missing(['8080'])).toEqual(['this user may not create pods/portforward']);
  });
});

test.each(['of a pool that shows it', 'of a pool with another network'])(
  'a run forwards its port, %s',
  async (kind) => {
    using scene = await ClusterScene.open();
    const server = await listening(echoOnce);
    const port = await freePort();
    scene.api.forwards.targets.set(port, portOf(server));
    const { grants, ...base } = session(scene, `${port}:80`);
    const hosts = kind === 'of a pool that shows it' ? [] : ['example.com:443'];
    const shows = { ...base, grants: { ...grants, hosts } };
    const cluster = await scene.cluster();
    const ofPool = hosts.length === 0 ? shows : { ...base, grants: { hosts } };
    await cluster.pools.up({ name: 'fast', size: 1, session: ofPool });
    const command = await scene.start(['sh', '-c', 'read -r line; exit 4'], {
      kind: 'sandbox',
      pool: 'fast',
      session: shows,
    });
    expect(String(await talk(port, 'word'))).toBe('got word');
    const other = await freePort();
    const forward = await cluster.forward('agent', { ports: [`${other}:80`], onNotice: () => undefined });
    expect(String(await talk(other, 'word'))).toBe('got word');
    await command.write(Buffer.from('now\n'));
    expect(await command.ended).toMatchObject({ kind: 'ended', exitCode: 4 });
    expect(await forward.ended).toBe('pod-ended');
    expect(await talk(port, 'x')).toBe('reset');
    server.close();
  },
);

test('through a real box: only its forwarded port is reached, and `exec` works beside it', async () => {
  using scene = await ClusterScene.open();
  const { project, api } = scene;
  api.node.install(binary);
  api.node.environment = { ...project.environment, XDG_STATE_HOME: join(project.root, 'state-of-the-pod') };
  const [pod, here, inBox] = [await freePort(), await freePort(), await freePort()];
  const serve = `require("net").createServer((s) => s.once("data", (b) => s.end("box got " + b))).listen(${inBox}, "127.0.0.1")`;
  scene.project.write(
    '../home/.config/holdfast/policy.toml',
    `version = 1\n[network]\nforward = ["${pod}:${inBox}"]\n`,
  );
  const { cwd, environment } = session(scene, 'none');
  await scene.start([process.execPath, '-e', serve], { mode: 'detached', session: { cwd, environment } });
  const cluster = await scene.cluster();
  const lines: string[] = [];
  const forward = await cluster.forward('agent', { ports: [`${here}:${inBox}`], onNotice: (l) => lines.push(l) });
  const answer = async (): Promise<string> => String(await talk(here, 'word'));
  await expect.poll(answer, { timeout: 20_000 }).toBe('box got word');
  // The control: without the forward, the box's port does not exist on this machine.
  expect(await talk(inBox, 'word')).toBe('reset');
  const second = await cluster.exec('agent', ['sh', '-c', 'exit 33'], {
    onOutput: () => undefined,
    onNotice: () => undefined,
  });
  expect(await second.ended).toMatchObject({ exitCode: 33 });
  forward.close();
  await cluster.stop('agent', { changes: 'discard' });
});

describe('holdfast cluster', () => {
  const start = (scene: ClusterScene, words: readonly string[]) => {
    const env = { ...scene.project.environment, KUBECONFIG: scene.kubeconfig };
    const child = spawn(binary, ['cluster', ...words], { cwd: scene.project.workspace, env, stdio: 'pipe' });
    const seen = { stdout: '', stderr: '' };
    child.stdout.on('data', (bytes: Buffer) => (seen.stdout += bytes.toString()));
    child.stderr.on('data', (bytes: Buffer) => (seen.stderr += bytes.toString()));
    const ended = once(child, 'close').then(([status]) => ({ status: status as number | null, ...seen }));
    return { child, seen, ended };
  };
  const run = ['run', '--kind', 'pod', '--name', 'agent'] as const;

  test('run --forward and forward, and Ctrl-C closes the ports', async () => {
    using scene = await ClusterScene.open();
    const server = await listening(echoOnce);
    const [port, other] = [await freePort(), await freePort()];
    scene.api.forwards.targets.set(port, portOf(server));
    const script = 'trap "exit 130" INT; echo ready; while :; do sleep 0.05; done';
    const command = start(scene, [...run, '--forward', `${port}:80`, '--', 'sh', '-c', script]);
    await expect.poll(() => command.seen.stdout, { timeout: 20_000 }).toBe('ready\n');
    expect(String(await talk(port, 'word'))).toBe('got word');
    const taken = await start(scene, ['forward', 'agent']).ended;
    expect(taken).toMatchObject({ status: 125, stdout: '' });
    expect(taken.stderr).toMatch(/^holdfast: port \d+ of this machine cannot be used [^\n]+\nholdfast: to fix it: /u);
    const forward = start(scene, ['forward', 'agent', `${other}:80`]);
    await expect
      .poll(() => forward.seen.stdout, { timeout: 20_000 })
      .toBe(`127.0.0.1:${other} shows port 80 of agent\n`);
    expect(String(await talk(other, 'word'))).toBe('got word');
    forward.child.kill('SIGINT');
    expect(await forward.ended).toMatchObject({ status: 0, stderr: '' });
    expect(await talk(other, 'x')).toBe('reset');
    const last = start(scene, ['forward', 'agent', `${other}:80`]);
    await expect.poll(() => last.seen.stdout, { timeout: 20_000 }).not.toBe('');
    command.child.kill('SIGINT');
    expect(await command.ended).toMatchObject({ status: 130 });
    expect(await talk(port, 'x')).toBe('reset');
    expect(await last.ended).toMatchObject({
      status: 0,
      stderr: 'holdfast: agent has ended, and its ports with it\n',
    });
    server.close();
  });

  test.each([
    [['forward'], 'takes one name'],
    [['forward', 'nobody'], 'there is no sandbox "nobody"'],
    [['forward', 'agent', '--wait', '3'], 'does not know --wait'],
    [[...run, '--forward', '18080', '--', 'true'], "the pod's supervisor listens there"],
    [[...run, '--forward', 'web', '--', 'true'], 'web'],
  ])('%j is refused', async (words, said) => {
    using scene = await ClusterScene.open();
    const { status, stderr } = await start(scene, words).ended;
    expect({ status, stderr }).toEqual({ status: 125, stderr: expect.stringContaining(said) as string });
    expect(scene.api.store.names).toEqual([]);
  });
});
