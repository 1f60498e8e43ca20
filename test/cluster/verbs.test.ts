import { expect, test } from 'vitest';
import { reviewLayer } from '../../src/staged/session/layers.ts';
import { ClusterScene } from './cluster-scene.ts';

const detached = { mode: 'detached' } as const;

test('a detached command continues, and list, logs, exec, attach and stop find it', async () => {
  using scene = await ClusterScene.open();
  const script = 'echo started; echo made > made.txt; trap "echo bye; exit 5" TERM; while :; do sleep 0.05; done';
  const command = await scene.start(['sh', '-c', script], detached);
  expect(await command.ended).toEqual({ kind: 'left' });
  const cluster = await scene.cluster();
  expect(await cluster.list()).toMatchObject([{ name: 'agent', kind: 'Pod', state: 'running', origin: 'here' }]);
  const log = async (): Promise<string> => {
    let text = '';
    for await (const bytes of cluster.logs('agent')) text += bytes.toString();
    return text;
  };
  await expect.poll(log).toBe('started\n');
  const output: string[] = [];
  const join = {
    onOutput: (_: string, bytes: Buffer) => void output.push(bytes.toString()),
    onNotice: () => undefined,
  };
  const second = await cluster.exec('agent', ['sh', '-c', 'cat made.txt; exit 4'], join);
  await second.endInput();
  expect(await second.ended).toMatchObject({ kind: 'ended', exitCode: 4 });
  expect(output.join('')).toBe('made\n');
  expect(scene.api.streams.commands.at(-1)).toMatch(/^holdfast run --workspace \S+ -- sh -c cat made\.txt; exit 4$/u);
  const visitor = await cluster.attach('agent', join);
  visitor.leave();
  expect(await visitor.ended).toEqual({ kind: 'left' });
  const { changes, removed } = await cluster.stop('agent');
  expect(removed).toEqual(['Pod/agent', 'NetworkPolicy/agent']);
  const review = await reviewLayer(changes?.layer ?? '', { environment: scene.project.libraryEnvironment });
  expect(review.changes.map(({ path }) => path.toString())).toEqual(['made.txt']);
  expect(scene.api.store.names).toEqual([]);
  expect(await cluster.list()).toEqual([]);
});

test('a visitor sees the end of a command', async () => {
  using scene = await ClusterScene.open();
  await scene.start(['sh', '-c', 'read -r line; echo "got $line"; exit 6'], detached);
  const cluster = await scene.cluster();
  const visitor = await cluster.attach('agent', {
    onOutput: (stream, bytes) => void (scene.output[stream] += bytes.toString()),
    onNotice: () => undefined,
  });
  await visitor.write(Buffer.from('word\n'));
  expect(await visitor.ended).toMatchObject({ kind: 'ended', exitCode: 6 });
  expect(scene.output.stdout).toBe('got word\n');
});

test('stop removes a killed client’s remains, and drops changes on request', async () => {
  using scene = await ClusterScene.open();
  await scene.start(['sleep', '60'], detached);
  const cluster = await scene.cluster();
  const stopped = await cluster.stop('agent', { changes: 'discard' });
  expect(stopped.changes).toBeUndefined();
  expect(scene.api.store.names).toEqual([]);
});

test('stop kills a command that ignores SIGTERM, and keeps its changes', async () => {
  using scene = await ClusterScene.open();
  await scene.start(['sh', '-c', 'trap "" TERM; echo x > kept.txt; while :; do sleep 0.05; done'], detached);
  const cluster = await scene.cluster();
  await new Promise((resolve) => setTimeout(resolve, 300));
  const { changes } = await cluster.stop('agent', { grace: 300 });
  expect(changes).toMatchObject({ changed: 1 });
});

test('a command of exec with a lost stream ends with one line, continues there, and is not started twice', async () => {
  using scene = await ClusterScene.open();
  await scene.start(['sleep', '60'], detached);
  const cluster = await scene.cluster();
  scene.api.streams.cutAfter.push(6);
  const words = ['sh', '-c', 'echo x >> starts.txt; echo first; sleep 1; echo last > later.txt'];
  const command = await cluster.exec('agent', words, { onOutput: () => undefined, onNotice: () => undefined });
  await expect(command.ended).rejects.toMatchObject({
    code: 'HF_CLUSTER_UNREACHABLE',
    message: 'the connection to the command was lost: the connection was cut',
    remedy: expect.stringContaining('`holdfast cluster exec agent -- ls`') as string,
  });
  const seen = { text: '' };
  const look = async () => {
    const cat = ['sh', '-c', 'cat starts.txt later.txt 2>&1'];
    const onOutput = (_: string, bytes: Buffer) => void (seen.text += bytes.toString());
    await (await cluster.exec('agent', cat, { onOutput, onNotice: () => undefined })).ended;
    return seen.text;
  };
  await expect.poll(look, { timeout: 10_000, interval: 500 }).toMatch(/x\nlast\n$/u);
  expect(seen.text).not.toContain('x\nx');
  await cluster.stop('agent', { changes: 'discard' });
});

test('a restarted supervisor is reported in one line, and the command continues without a network', async () => {
  using scene = await ClusterScene.open();
  scene.project.write('../home/.config/holdfast/policy.toml', 'version = 1\nnetwork.hosts = ["example.com"]\n');
  const command = await scene.start(['sh', '-c', 'cat; echo kept > kept.txt']);
  const [pod] = scene.api.store.list('pods', 'agents');
  if (pod === undefined) throw new Error('no pod');
  const supervisor = (status: object) => {
    const now = scene.api.store.get('pods', 'agents', 'agent') ?? pod;
    const initContainerStatuses = [{ name: 'supervisor', ...status }];
    scene.api.store.change('pods', now, { status: { ...now.status, initContainerStatuses } });
  };
  // Between two starts, a node reports that it has ended, or that it waits.
  supervisor({ restartCount: 0, state: { terminated: { exitCode: 137, reason: 'OOMKilled' } } });
  supervisor({ restartCount: 0, state: { waiting: { reason: 'CrashLoopBackOff' } } });
  const lastState = { terminated: { exitCode: 137, reason: 'OOMKilled' } };
  supervisor({ restartCount: 1, state: { running: {} }, lastState });
  supervisor({ restartCount: 2, state: { running: {} }, lastState });
  await expect.poll(() => scene.notices.join('\n')).toContain('the supervisor of agent ended (OOMKilled)');
  expect(scene.notices.filter((line) => line.includes('supervisor'))).toEqual([
    'the supervisor of agent ended (OOMKilled): the command has no network any more; run it again to get one',
  ]);
  await command.endInput();
  expect(await command.ended).toMatchObject({ exitCode: 0, changes: { changed: 1 } });
});

test('stop leaves other sandboxes alone', async () => {
  using scene = await ClusterScene.open();
  await scene.start(['sleep', '60'], { ...detached, name: 'one' });
  await scene.start(['sleep', '60'], { ...detached, name: 'two' });
  scene.api.store.create('pods', 'agents', { metadata: { name: 'web', labels: { app: 'web' } } } as never);
  const cluster = await scene.cluster();
  await cluster.stop('one', { changes: 'discard' });
  expect(scene.api.store.names).toEqual(['networkpolicies/two', 'pods/two', 'pods/web']);
});

test.each(['stop', 'attach'] as const)('%s of an unknown name', async (verb) => {
  using scene = await ClusterScene.open();
  const cluster = await scene.cluster();
  const call =
    verb === 'stop'
      ? cluster.stop('nobody')
      : cluster.attach('nobody', { onOutput: () => undefined, onNotice: () => undefined });
  await expect(call).rejects.toThrow('there is no sandbox "nobody" in the namespace "agents"');
});

test('doctor checks and tries a run’s requirements, and creates nothing', async () => {
  using scene = await ClusterScene.open();
  const cluster = await scene.cluster();
  const wishes = { session: { cwd: scene.project.workspace, environment: scene.project.libraryEnvironment } };
  const good = await cluster.doctor(wishes);
  expect(good.findings.filter(({ state }) => state === 'missing')).toEqual([]);
  expect(good.findings.map(({ subject }) => subject)).toEqual(
    expect.arrayContaining([
      'server',
      'rights',
      'runtime-classes',
      'agent-sandbox',
      'namespace',
      'admission',
      'network-policy',
    ]),
  );
  scene.api.denied.add('create pods/exec').add('delete sandboxes');
  scene.api.podSecurity = 'restricted';
  scene.api.agentSandbox = [];
  scene.api.minor = '29';
  const bad = await cluster.doctor({ ...wishes, kind: 'pod' });
  const told = bad.findings.filter(({ state }) => state === 'missing').map(({ told: text }) => text);
  expect(told.join('\n')).toMatch(/Kubernetes v1\.29/u);
  expect(told.join('\n')).toMatch(/this user may not create pods\/exec/u);
  expect(told.join('\n')).toMatch(/enforces the Pod Security Standard "restricted"/u);
  expect(scene.api.store.names).toEqual([]);
  const sandbox = await cluster.doctor(wishes);
  expect(sandbox.findings.map(({ told: text }) => text).join('\n')).toMatch(
    /delete sandboxes\.agents\.x-k8s\.io[^]*agent-sandbox is not installed/u,
  );
});
