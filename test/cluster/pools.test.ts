import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { giveOwner } from '../../src/cluster/session/cluster-objects.ts';
import { connectCluster } from '../../src/cluster/session/connection.ts';
import { withVersion } from '../../src/cluster/session/ask-version.ts';
import { lease, renewLease } from '../../src/cluster/session/lease.ts';
import { acceptLayer } from '../../src/staged/session/layers.ts';
import { readEvents } from '../../src/audit/index.ts';
import { ClusterScene } from './cluster-scene.ts';

const shared = ['networkpolicies/fast', 'sandboxtemplates/fast', 'sandboxwarmpools/fast'];

async function withPool(size = 1, versions: readonly string[] = ['v1alpha1']): Promise<ClusterScene> {
  const scene = await ClusterScene.open();
  scene.api.agentSandbox = versions;
  await up(scene, size);
  await expect.poll(async () => (await (await scene.cluster()).pools.list())[0]?.ready, { timeout: 20_000 }).toBe(size);
  return scene;
}

async function up(scene: ClusterScene, size: number, grants: object = {}) {
  const cluster = await scene.cluster();
  const session = { cwd: scene.project.workspace, environment: scene.project.libraryEnvironment, grants };
  return cluster.pools.up({ name: 'fast', size, session });
}

const inPool = { kind: 'sandbox', pool: 'fast' } as const;
const kept = (scene: ClusterScene) => scene.api.store.names.filter((name) => !/^(?:pods|sandboxes)\//u.test(name));
const claimOf = (scene: ClusterScene) => scene.api.store.get('sandboxclaims', 'agents', 'agent');
const settled = (scene: ClusterScene, pods: number) =>
  expect
    .poll(() => [kept(scene), scene.api.store.list('pods', 'agents').length], { timeout: 20_000 })
    .toEqual([shared, pods]);

describe('a run in a pool', () => {
  test('any command: streams, exit status and changes are its own, and the pool stays', async () => {
    using scene = await withPool();
    const warm = scene.api.store.list('sandboxes', 'agents').map(({ metadata }) => metadata.name);
    const command = await scene.start(['sh', '-c', 'cat; echo oops >&2; echo new > made.txt; exit 7'], inPool);
    await command.write(Buffer.from('from here\n'));
    await command.endInput();
    const end = await command.ended;
    expect(end).toMatchObject({ kind: 'ended', exitCode: 7, changes: { changed: 1 } });
    expect(scene.output).toEqual({ stdout: 'from here\n', stderr: 'oops\n' });
    expect(scene.api.streams.commands.length).toBeGreaterThan(0);
    await settled(scene, 1);
    expect(scene.api.store.list('sandboxes', 'agents').map(({ metadata }) => metadata.name)).not.toEqual(warm);
    expect(await scene.run('echo "$MESSAGE" other', inPool)).toMatchObject({ exitCode: 0, changes: { changed: 0 } });
    await settled(scene, 1);
    if (end.kind !== 'ended' || end.changes?.layer === undefined) throw new Error('nothing was staged');
    await acceptLayer(end.changes.layer, { environment: scene.project.libraryEnvironment });
    expect(readFileSync(join(scene.project.workspace, 'made.txt'), 'utf8')).toBe('new\n');
  });

  test('a cluster of v1beta1: the claim names its pool, and everything is removed', async () => {
    using scene = await withPool(1, ['v1beta1']);
    const command = await scene.start(['cat'], inPool);
    expect(claimOf(scene)).toMatchObject({
      apiVersion: 'extensions.agents.x-k8s.io/v1beta1',
      spec: { warmPoolRef: { name: 'fast' }, lifecycle: { shutdownPolicy: 'Delete' } },
    });
    expect(claimOf(scene)?.spec).not.toHaveProperty('sandboxTemplateRef');
    await command.endInput();
    expect(await command.ended).toMatchObject({ exitCode: 0 });
    await settled(scene, 1);
    expect(await (await scene.cluster()).pools.down('fast')).toHaveLength(3);
    await expect.poll(() => scene.api.store.names).toEqual([]);
    expect(scene.api.seen.filter((line) => line.includes('v1alpha1'))).toEqual([]);
  });

  test('the end of a supervisor is reported in one line, and the command continues', async () => {
    using scene = await withPool();
    const command = await scene.start(['sh', '-c', 'cat; echo kept > kept.txt'], inPool);
    const given = claimOf(scene)?.status?.['sandbox'] as { readonly name: string } | undefined;
    const pod = scene.api.store.get('pods', 'agents', given?.name ?? '');
    if (pod === undefined) throw new Error('no pod');
    const terminated = { exitCode: 137, reason: 'OOMKilled' };
    const initContainerStatuses = [
      { name: 'supervisor', restartCount: 1, state: { running: {} }, lastState: { terminated } },
    ];
    scene.api.store.change('pods', pod, { status: { ...pod.status, initContainerStatuses } });
    await expect
      .poll(() => scene.notices)
      .toEqual([
        'the supervisor of agent ended (OOMKilled): the command has no network any more; run it again to get one',
      ]);
    await command.endInput();
    expect(await command.ended).toMatchObject({ exitCode: 0, changes: { changed: 1 } });
    await settled(scene, 1);
  });

  test('a signal goes to the command, and not to the waiting process', async () => {
    using scene = await withPool();
    const command = await scene.start(
      ['sh', '-c', 'trap "exit 42" INT; echo ready; while :; do sleep 0.05; done'],
      inPool,
    );
    await expect.poll(() => scene.output.stdout).toBe('ready\n');
    command.signal('SIGINT');
    expect(await command.ended).toMatchObject({ exitCode: 42 });
    await settled(scene, 1);
  });

  test('an empty pool gives a sandbox of its template', async () => {
    using scene = await withPool();
    scene.api.node.delay = 300;
    const ends = await Promise.all([
      scene.run('true', { ...inPool, name: 'one' }),
      scene.run('true', { ...inPool, name: 'two' }),
      scene.run('true', { ...inPool, name: 'three' }),
    ]);
    expect(ends.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
    await settled(scene, 1);
  });

  test('another command of its sandbox sees the same workspace, and `list` has the run', async () => {
    using scene = await withPool();
    scene.project.write('input.txt', 'input\n');
    const command = await scene.start(['cat'], inPool);
    const cluster = await scene.cluster();
    expect(await cluster.list()).toMatchObject([
      { name: 'agent', kind: 'SandboxClaim', state: 'running', origin: 'here' },
    ]);
    let seen = '';
    const other = await cluster.exec('agent', ['cat', 'input.txt'], {
      onOutput: (_, bytes) => void (seen += bytes.toString()),
      onNotice: () => undefined,
    });
    expect(await other.ended).toMatchObject({ exitCode: 0 });
    expect(seen).toBe('input\n');
    const joining = { onOutput: () => undefined, onNotice: () => undefined };
    await expect(cluster.attach('agent', joining)).rejects.toThrow('only its client has its streams');
    await command.endInput();
    await command.ended;
  });

  test('`stop` ends the command, collects its changes and leaves the pool', async () => {
    using scene = await withPool();
    const command = await scene.start(['sh', '-c', 'echo x > made.txt; echo ready; exec sleep 60'], inPool);
    await expect.poll(() => scene.output.stdout).toBe('ready\n');
    command.leave();
    const cluster = await scene.cluster();
    const stopped = await cluster.stop('agent');
    expect(stopped).toMatchObject({ changes: { changed: 1 }, removed: ['SandboxClaim/agent'] });
    await settled(scene, 1);
  });

  // A lost connection does not mean that the command has ended: its changes would be collected during its writes.
  test('`stop` collects nothing if it cannot observe the command any more', async () => {
    using scene = await withPool();
    const command = await scene.start(['sh', '-c', 'trap "" TERM; echo ready; while :; do sleep 1; done'], inPool);
    await expect.poll(() => scene.output.stdout).toBe('ready\n');
    command.leave();
    const cluster = await scene.cluster();
    const stopping = cluster.stop('agent', { grace: 60_000 });
    stopping.catch(() => undefined);
    await expect.poll(() => scene.api.streams.commands.some((words) => words.includes('kill -0'))).toBe(true);
    for (const stream of scene.api.streams.open_) stream.terminate();
    await expect(stopping).rejects.toMatchObject({ code: 'HF_CLUSTER_UNREACHABLE' });
    expect(claimOf(scene)).toBeDefined();
    expect(await cluster.stop('agent', { grace: 500 })).toMatchObject({ removed: ['SandboxClaim/agent'] });
    await settled(scene, 1);
  });

  test('a lost connection keeps the work for `stop`', async () => {
    using scene = await withPool();
    scene.api.streams.cutAfter.push(Infinity, 6);
    const command = await scene.start(['sh', '-c', 'echo x > made.txt; echo ready; exec sleep 60'], inPool);
    await expect(command.ended).rejects.toThrow('its sandbox stays for now');
    expect(claimOf(scene)).toBeDefined();
    const cluster = await scene.cluster();
    expect(await cluster.stop('agent')).toMatchObject({ changes: { changed: 1 } });
    await settled(scene, 1);
  });
});

describe('the end of a claim', () => {
  test('its expiry removes the whole run', async () => {
    using scene = await withPool();
    const command = await scene.start(['cat'], inPool);
    command.ended.catch(() => undefined);
    const claim = claimOf(scene);
    const lifecycle = claim?.spec?.['lifecycle'] as { readonly shutdownTime: string };
    expect(lifecycle).toMatchObject({ shutdownPolicy: 'Delete' });
    expect(Date.parse(lifecycle.shutdownTime) - Date.now()).toBeGreaterThan(60_000);
    const soon = { shutdownTime: new Date().toISOString(), shutdownPolicy: 'Delete' };
    if (claim !== undefined)
      scene.api.store.change('sandboxclaims', claim, { spec: { ...claim.spec, lifecycle: soon } });
    await settled(scene, 1);
  });

  test('a client renews it, and its policy stays', async () => {
    using scene = await withPool();
    const command = await scene.start(['cat'], inPool);
    const claim = claimOf(scene);
    const ahead = 3 * 3_600_000;
    scene.api.controller.clockAhead = ahead;
    const connection = await withVersion(
      connectCluster({ kubeconfig: scene.kubeconfig, environment: scene.project.libraryEnvironment }),
    );
    const place = { kind: 'SandboxClaim', namespace: 'agents', name: 'agent' } as const;
    await renewLease(connection, { ...place, uid: claim?.metadata.uid ?? '' });
    expect(claimOf(scene)?.metadata.resourceVersion).not.toBe(claim?.metadata.resourceVersion);
    expect(claimOf(scene)?.spec).toMatchObject({ warmpool: 'fast', lifecycle: { shutdownPolicy: 'Delete' } });
    const renewed = claimOf(scene)?.spec?.['lifecycle'] as { readonly shutdownTime: string } | undefined;
    expect(Math.abs(Date.parse(renewed?.shutdownTime ?? '') - Date.now() - ahead - lease)).toBeLessThan(20_000);
    await command.endInput();
    await command.ended;
  });

  test('an owner has the API version of its kind', async () => {
    using scene = await ClusterScene.open();
    const connection = connectCluster({ kubeconfig: scene.kubeconfig, environment: scene.project.libraryEnvironment });
    scene.api.store.create('configmaps', 'agents', { metadata: { name: 'owned' } } as never);
    const place = { namespace: 'agents', uid: 'u' };
    await giveOwner(
      { ...place, kind: 'ConfigMap', name: 'owned' },
      { ...place, kind: 'SandboxClaim', name: 'one' },
      connection.target,
    );
    expect(scene.api.store.get('configmaps', 'agents', 'owned')?.metadata.ownerReferences).toEqual([
      { apiVersion: 'extensions.agents.x-k8s.io/v1alpha1', kind: 'SandboxClaim', name: 'one', uid: 'u' },
    ]);
  });
});

describe('refused in one line, without a claim', () => {
  test.each([
    ['another policy', { grants: { hosts: ['example.org'] } }, {}],
    ['another image', {}, { image: 'other:2' }],
  ])('%s than that of the pool', async (what, session, more) => {
    using scene = await withPool();
    const { workspace: cwd, libraryEnvironment: environment } = scene.project;
    const start = scene.start(['true'], { ...inPool, ...more, session: { cwd, environment, ...session } });
    await expect(start).rejects.toThrow(new RegExp(`^the pool "fast" was made for ${what} than this run has$`, 'u'));
    expect(claimOf(scene)).toBeUndefined();
    expect(scene.api.seen.filter((line) => line.includes('POST') && line.includes('sandboxclaims'))).toEqual([]);
  });

  test('no such pool', async () => {
    using scene = await ClusterScene.open();
    await expect(scene.start(['true'], inPool)).rejects.toThrow('has no pool "fast"');
    expect(scene.api.store.names).toEqual([]);
  });

  test('a pod of an older template gets no workspace', async () => {
    using scene = await withPool();
    const [pod] = scene.api.store.list('pods', 'agents');
    const labels = { ...pod?.metadata.labels, 'holdfast.dev/shape': 'older' };
    if (pod !== undefined) scene.api.store.change('pods', pod, { metadata: { ...pod.metadata, labels } });
    await expect(scene.start(['true'], inPool)).rejects.toThrow('was made for another policy');
    expect(scene.api.streams.commands).toEqual([]);
    await settled(scene, 1);
  });

  test('credentials, and a run without its client', async () => {
    using scene = await withPool();
    await expect(scene.start(['true'], { ...inPool, mode: 'detached' })).rejects.toThrow('needs its client');
    scene.project.write(
      '../home/.config/holdfast/policy.toml',
      [
        'version = 1',
        '[network]',
        'hosts = ["api.example.com"]',
        '[[credentials]]',
        'name = "example"',
        'source = { env = "EXAMPLE_TOKEN" }',
        'hosts = ["api.example.com"]',
        'inject = { kind = "bearer" }',
        'environment = ["EXAMPLE_TOKEN"]',
        '',
      ].join('\n'),
    );
    await expect(scene.start(['true'], inPool)).rejects.toThrow('a pool cannot hold credentials');
  });

  test('a taken name', async () => {
    using scene = await withPool(2);
    const command = await scene.start(['cat'], inPool);
    await expect(scene.start(['true'], inPool)).rejects.toThrow('already has a SandboxClaim "agent"');
    expect(claimOf(scene)).toBeDefined();
    await command.endInput();
    await command.ended;
  });
});

describe('pools', () => {
  test('grow and shrink, and are removed as a whole', async () => {
    using scene = await withPool(1);
    expect(await up(scene, 3)).toMatchObject({ name: 'fast', size: 3 });
    await settled(scene, 3);
    await up(scene, 1);
    await settled(scene, 1);
    const cluster = await scene.cluster();
    expect(await cluster.list()).toEqual([]);
    expect(await cluster.pools.down('fast')).toEqual([
      'SandboxWarmPool/fast',
      'SandboxTemplate/fast',
      'NetworkPolicy/fast',
    ]);
    expect(scene.api.store.names).toEqual([]);
    await expect(cluster.pools.down('fast')).rejects.toThrow('there is no pool');
  });

  test('cannot change to another policy', async () => {
    using scene = await withPool(1);
    await expect(up(scene, 2, { hosts: ['example.org'] })).rejects.toThrow('made for another policy');
    expect((await (await scene.cluster()).pools.list())[0]).toMatchObject({ size: 1, claims: 0 });
  });

  test('stay while a run has a sandbox of them: its way out stays closed', async () => {
    using scene = await withPool(1);
    const command = await scene.start(['cat'], inPool);
    const cluster = await scene.cluster();
    await expect(cluster.pools.down('fast')).rejects.toThrow('the pool "fast" has runs: agent');
    expect((await cluster.pools.list())[0]).toMatchObject({ claims: 1 });
    await command.endInput();
    await command.ended;
    await cluster.pools.down('fast');
    expect(scene.api.store.names).toEqual([]);
  });
});

test.each([
  ['the claim', /POST .*sandboxclaims$/u],
  ['its end', /DELETE .*sandboxclaims/u],
])('a conflict without an object passes, of %s', async (_, on) => {
  using scene = await withPool();
  scene.api.faults.push({ on, act: { status: 409 }, times: 2 });
  expect(await scene.run('exit 3', inPool)).toMatchObject({ exitCode: 3 });
  await settled(scene, 1);
});

describe('the facts about a pool', () => {
  const events = (scene: ClusterScene) =>
    readEvents(join(scene.project.state, 'journal.jsonl')).filter(({ type }) => type === 'cluster.pool');

  test('the journal records its creation, its new size and its end, each in advance', async () => {
    using scene = await withPool();
    await up(scene, 2);
    await (await scene.cluster()).pools.down('fast');
    const same = {
      type: 'cluster.pool',
      namespace: 'agents',
      name: 'fast',
      server: expect.stringMatching(/^http:/u) as string,
    };
    expect(events(scene)).toMatchObject([
      { ...same, change: 'up', size: 1 },
      { ...same, change: 'up', size: 2 },
      { ...same, change: 'down' },
    ]);
    scene.api.denied.add('create sandboxtemplates');
    await expect(up(scene, 1)).rejects.toThrow();
    expect(events(scene)).toHaveLength(4);
  });

  test('doctor asks for the rights of a claim, and for a pool that fits', async () => {
    using scene = await withPool();
    const cluster = await scene.cluster();
    const wishes = { session: { cwd: scene.project.workspace, environment: scene.project.libraryEnvironment } };
    const told = async (pool: string, more: object = {}) =>
      (await cluster.doctor({ ...wishes, pool, ...more })).findings
        .filter(({ state }) => state === 'missing')
        .map(({ told: text }) => text);
    expect(await told('fast')).toEqual([]);
    expect(await told('slow')).toEqual(['the namespace "agents" has no pool "slow"']);
    expect(await told('fast', { image: 'other:1' })).toEqual([
      'the pool "fast" was made for another image than this run has',
    ]);
    scene.api.denied.add('create sandboxclaims').add('delete sandboxes');
    expect(await told('fast')).toEqual([
      'this user may not create sandboxclaims.extensions.agents.x-k8s.io',
      expect.stringContaining('this user may not create sandboxclaims.extensions.agents.x-k8s.io in the namespace'),
    ]);
  });
});
