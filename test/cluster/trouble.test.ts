import { readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { Fault } from './api-server.ts';
import { ClusterScene } from './cluster-scene.ts';

const refused = (message: RegExp, code = 'HF_CLUSTER_REFUSED') =>
  expect.objectContaining({ code, message: expect.stringMatching(message) as unknown }) as unknown;

/** Nothing remains: no object in the cluster, no layer and no record of the run here. */
function expectNothing({ api, project }: ClusterScene): void {
  expect(api.store.names).toEqual([]);
  expect(filesIn(`${project.state}/cluster`)).toEqual([]);
  expect(filesIn(`${project.state}/staged`)).toEqual([]);
}

function filesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

describe('faults that pass', () => {
  test.each<[string, Fault]>([
    ['a busy server', { on: /^POST .*\/pods$/u, act: { status: 429, retryAfter: '0' }, times: 3 }],
    ['a failing server', { on: /^POST .*networkpolicies$/u, act: { status: 503 }, times: 2 }],
    ['a cut connection', { on: /^POST .*\/pods$/u, act: 'cut', times: 2 }],
    ['an answer that is lost when the object was made', { on: /^POST .*\/pods$/u, act: 'cut-after-write' }],
    ['a delete whose answer is lost', { on: /^DELETE .*\/pods\/agent$/u, act: 'cut-after-write' }],
    ['a watch that is cut', { on: /watch$/u, act: 'cut', times: 3 }],
    ['a watch that the server has forgotten', { on: /watch$/u, act: 'watch-forgotten', times: 2 }],
    ['a watch that is 410', { on: /watch$/u, act: { status: 410 }, times: 2 }],
    ['a watch that is 500', { on: /watch$/u, act: { status: 500 }, times: 2 }],
  ])('%s', async (_, fault) => {
    using scene = await ClusterScene.open();
    scene.api.faults.push({ ...fault });
    const { exitCode } = await scene.run('sleep 0.2; exit 3');
    expect(exitCode).toBe(3);
    expect(scene.api.faults.every(({ times = 1 }) => times === 0)).toBe(true);
    expectNothing(scene);
  });

  test.each<[string, readonly number[]]>([
    ['on the way there', [1]],
    // The archive comes third, after the workspace and the streams of the command.
    ['on the way back', [Infinity, Infinity, 700]],
  ])('a workspace that is cut %s is sent again', async (_, cuts) => {
    using scene = await ClusterScene.open();
    scene.project.write('a.txt', 'a'.repeat(5000));
    if (cuts.length === 1) scene.api.faults.push({ on: /exec$/u, act: 'cut', times: 2 });
    else scene.api.streams.cutAfter.push(...cuts);
    const { changes, exitCode } = await scene.run('cat a.txt > b.txt');
    expect({ exitCode, changed: changes?.changed }).toEqual({ exitCode: 0, changed: 1 });
    expect(scene.api.store.names).toEqual([]);
  });

  test('a busy server can set the time of the next attempt', async () => {
    using scene = await ClusterScene.open();
    scene.api.faults.push({ on: /^POST .*\/pods$/u, act: { status: 429, retryAfter: '1' } });
    const start = Date.now();
    await scene.run('true');
    expect(Date.now() - start).toBeGreaterThan(990);
  });

  test('lost streams are joined again, and the exit status is still that of the command', async () => {
    using scene = await ClusterScene.open();
    // The first stream brings the workspace; the second is the command's.
    scene.api.streams.cutAfter.push(Infinity, 6);
    const { exitCode } = await scene.run('echo first; sleep 1.5; echo last; exit 9');
    expect(exitCode).toBe(9);
    expect(scene.output.stdout).toBe('first\nlast\n');
    expect(scene.notices.join()).toContain('the connection to the command was cut');
    expectNothing(scene);
  });
});

describe('one line, and nothing left', () => {
  test.each([
    'create networkpolicies',
    'create pods',
    'list pods',
    'watch pods',
    'get pods/exec',
    'get pods/attach',
    'patch networkpolicies',
  ])('a missing right is named: %s', async (right) => {
    using scene = await ClusterScene.open();
    scene.api.denied.add(right);
    const [verb, resource] = right.split(' ');
    const failure = refused(new RegExp(`this user may not ${verb} ${resource}`, 'u'));
    // Without `list`, nobody can see that the pod is gone. Then the error names the possible remains.
    if (right === 'list pods' || right === 'watch pods') {
      // A pod that runs immediately needs no watch.
      scene.api.node.delay = 60_000;
      await expect(scene.start(['true'])).rejects.toThrow(`this user may not ${verb} ${resource}`);
      return;
    }
    await expect(scene.start(['true'])).rejects.toThrow(failure as Error);
    expectNothing(scene);
  });

  test('a namespace that enforces restricted', async () => {
    using scene = await ClusterScene.open();
    scene.api.podSecurity = 'restricted';
    await expect(scene.start(['true'])).rejects.toThrow(
      refused(/enforces the Pod Security Standard "restricted"/u) as Error,
    );
    expectNothing(scene);
  });

  test('a name of another owner stays unchanged', async () => {
    using scene = await ClusterScene.open();
    const theirs = scene.api.store.create('pods', 'agents', { metadata: { name: 'agent' } } as never);
    await expect(scene.start(['true'])).rejects.toThrow(refused(/already has a Pod "agent"/u) as Error);
    expect(scene.api.store.get('pods', 'agents', 'agent')?.metadata.uid).toBe(theirs.metadata.uid);
    expect(scene.api.store.names).toEqual(['pods/agent']);
  });

  test.each([
    [3, 'ahead of'],
    [-3, 'behind'],
  ])('a clock of the cluster with a difference of %i hours', async (hours, way) => {
    using scene = await ClusterScene.open();
    scene.api.controller.clockAhead = hours * 3_600_000;
    const command = await scene.start(['cat'], { kind: 'sandbox' });
    const sandbox = scene.api.store.get('sandboxes', 'agents', 'agent');
    const left = Date.parse(String(sandbox?.spec?.['shutdownTime'])) - Date.now() - hours * 3_600_000;
    expect(Math.abs(left - 1_800_000)).toBeLessThan(20_000);
    expect(scene.notices).toEqual([
      `the cluster's clock is 180 minutes ${way} this machine's: expiry counts by the cluster's clock`,
    ]);
    await command.endInput();
    expect(await command.ended).toMatchObject({ exitCode: 0 });
    expectNothing(scene);
  });

  test.each(['', 'yesterday', 'Fri, 31 Dec 275000 23:59:59 GMT', 'Thu, 01 Jan 1970 00:00:00 GMT'])(
    'a server whose time is %j',
    async (date) => {
      using scene = await ClusterScene.open();
      scene.api.date = date;
      const command = await scene.start(['cat'], { kind: 'sandbox' });
      const sandbox = scene.api.store.get('sandboxes', 'agents', 'agent');
      const left = Date.parse(String(sandbox?.spec?.['shutdownTime'])) - Date.now();
      expect(Math.abs(left - 1_800_000)).toBeLessThan(20_000);
      expect(scene.notices).toEqual([]);
      await command.endInput();
      await command.ended;
      expectNothing(scene);
    },
  );

  test('a cluster without agent-sandbox', async () => {
    using scene = await ClusterScene.open();
    scene.api.agentSandbox = [];
    await expect(scene.start(['true'], { kind: 'sandbox' })).rejects.toThrow(refused(/no such kind/u) as Error);
    expectNothing(scene);
  });

  test.each<[string, Record<string, unknown>, RegExp]>([
    [
      'an image that cannot be pulled',
      {
        containerStatuses: [
          { name: 'command', state: { waiting: { reason: 'ImagePullBackOff', message: 'no such\nimage' } } },
        ],
      },
      /command cannot start: ImagePullBackOff: no such image/u,
    ],
    [
      'a pod that a node evicts',
      { phase: 'Failed', reason: 'Evicted', message: 'no room' },
      /the pod ended: Evicted no room/u,
    ],
    [
      'rules that cannot be loaded',
      { initContainerStatuses: [{ name: 'packet-rules', state: { terminated: { exitCode: 1, reason: 'Error' } } }] },
      /packet-rules ended with 1/u,
    ],
  ])('%s', async (_, status, message) => {
    using scene = await ClusterScene.open();
    scene.api.node.trouble = status;
    await expect(scene.start(['true'])).rejects.toThrow(refused(message, 'HF_CLUSTER_FAILED') as Error);
    expectNothing(scene);
  });

  test('a pod that no node accepts is awaited, with the reason', async () => {
    using scene = await ClusterScene.open();
    scene.api.node.trouble = {
      phase: 'Pending',
      conditions: [{ type: 'PodScheduled', status: 'False', message: '0/3 nodes are available' }],
    };
    await expect(scene.start(['true'], { wait: 1000 })).rejects.toThrow(
      /start of the pod \(0\/3 nodes are available\) did not happen within 1 seconds/u,
    );
    expectNothing(scene);
  });

  test('a server that does not speak Kubernetes', async () => {
    using scene = await ClusterScene.open();
    scene.api.faults.push({ on: /./u, act: 'lie', times: 1 });
    await expect(scene.start(['true'])).rejects.toThrow(/not an object/u);
  });

  test('a server that accepts connections and says nothing', async () => {
    using scene = await ClusterScene.open();
    const server = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(server, 'listening');
    scene.writeKubeconfig(
      scene.api.kubeconfig({ server: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }),
    );
    const cluster = await scene.cluster({ patience: { answer: 300, tries: 500 } });
    await expect(cluster.list()).rejects.toThrow(/no answer within|ETIMEDOUT/u);
    server.close();
  });

  test('no server at all', async () => {
    using scene = await ClusterScene.open();
    scene.writeKubeconfig(scene.api.kubeconfig({ server: 'http://127.0.0.1:1' }));
    const cluster = await scene.cluster({ patience: { answer: 300, tries: 500 } });
    await expect(cluster.list()).rejects.toThrow(refused(/ECONNREFUSED/u, 'HF_CLUSTER_UNREACHABLE') as Error);
  });

  test('an API server older than the protocol', async () => {
    using scene = await ClusterScene.open();
    scene.api.streams.protocol = 'v4.channel.k8s.io';
    await expect(scene.start(['true'])).rejects.toThrow(refused(/does not speak v5\.channel\.k8s\.io/u) as Error);
    expectNothing(scene);
  });

  test('an interruption while the pod starts', async () => {
    using scene = await ClusterScene.open();
    scene.api.node.delay = 60_000;
    const controller = new AbortController();
    const started = scene.start(['true'], {}, { signal: controller.signal });
    await expect.poll(() => scene.api.store.names).toContain('pods/agent');
    controller.abort();
    await expect(started).rejects.toThrow(/abort/u);
    expectNothing(scene);
  });

  test('a pod that is deleted under a command', async () => {
    using scene = await ClusterScene.open();
    const command = await scene.start(['sleep', '60']);
    const pod = scene.api.store.get('pods', 'agents', 'agent');
    if (pod !== undefined) scene.api.store.remove('pods', pod);
    await expect(command.ended).rejects.toThrow(/the pod is gone/u);
    expectNothing(scene);
  });

  test('an image without tar', async () => {
    using scene = await ClusterScene.open();
    scene.api.node.tar = 'exit 127';
    await expect(scene.start(['true'])).rejects.toThrow(/sending the workspace failed: it ended with 127/u);
    expectNothing(scene);
  });

  test('changes that cannot be collected stay in the cluster until stop', async () => {
    using scene = await ClusterScene.open();
    const command = await scene.start(['sh', '-c', 'echo work > work.txt']);
    scene.api.node.tar = 'echo "tar: no room" >&2; exit 2';
    await expect(command.ended).rejects.toThrow(
      /did not come home: bringing the workspace back failed: it ended with 2: tar: no room/u,
    );
    scene.api.node.tar = undefined;
    const cluster = await scene.cluster();
    expect(await cluster.list()).toMatchObject([{ name: 'agent', state: 'ended', exitCode: 0, origin: 'here' }]);
    expect(await cluster.stop('agent')).toMatchObject({ changes: { changed: 1 } });
    expect(scene.api.store.names).toEqual([]);
  });
});
