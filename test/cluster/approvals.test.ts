import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { serveApprovals } from '../../src/approvals/socket/serve-approvals.ts';
import { approvalOf, FakeQueue, hashOf } from '../../src/approvals/socket/testing/served.ts';
import { binary } from '../lib/holdfast.ts';
import { ClusterScene } from './cluster-scene.ts';

const asking = `version = 1
[[connect]]
name = "ask-first"
hosts = ["example.com"]
decision = "ask"
`;

/** A queue of the test in place of a container's. The program in between is real. */
async function queueOf(scene: ClusterScene, container: 'supervisor' | 'command') {
  const state = join(scene.project.root, `state-of-${container}`);
  scene.api.node.environment = scene.project.environment;
  scene.api.node.ofContainers.set(container, { XDG_STATE_HOME: state });
  const queue = new FakeQueue();
  const { workspace } = scene.project;
  const server = await serveApprovals({ runtime: join(state, 'holdfast/run'), session: 's', workspace, queue });
  onTestFinished(() => server.close());
  return { queue, someone: () => server.someone(0) };
}

/** A run whose supervisor asks. */
async function withSupervisor(scene: ClusterScene, more: object = {}) {
  scene.project.write('../home/.config/holdfast/policy.toml', asking);
  const supervisor = await queueOf(scene, 'supervisor');
  const command = await scene.start(['cat'], { questions: 'told', ...more });
  return { ...supervisor, command };
}

const boxAsks = `version = 1
[[file]]
name = "ask-notes"
paths = ["notes"]
decision = "ask"
`;

function holdfast(scene: ClusterScene, words: readonly string[]) {
  const environment = { ...scene.project.environment, KUBECONFIG: scene.kubeconfig };
  const child = spawn(binary, ['cluster', ...words], { cwd: scene.project.workspace, env: environment, stdio: 'pipe' });
  const seen = { stdout: '', stderr: '' };
  child.stdout.on('data', (bytes: Buffer) => (seen.stdout += bytes.toString()));
  child.stderr.on('data', (bytes: Buffer) => (seen.stderr += bytes.toString()));
  child.stdin.end();
  return once(child, 'close').then(([status]) => ({ status: status as number | null, ...seen }));
}

describe('questions of a pod’s supervisor', () => {
  test('wait for a person, appear as a line, and are answered in another terminal', async () => {
    using scene = await ClusterScene.open();
    const { queue, command, someone } = await withSupervisor(scene);
    expect(await someone()).toBe(true);
    queue.ask(approvalOf(1, { title: 'connect to example.com:443' }));
    await expect.poll(() => scene.notices.join('\n')).toContain('waits 60 s for approval: connect to example.com:443');
    const id = / allow ([0-9a-f]{12})$/mu.exec(scene.notices.join('\n'))?.[1] ?? '';
    expect(scene.notices.join('\n')).toContain(`holdfast cluster approvals agent allow ${id}`);
    const listed = await holdfast(scene, ['approvals', 'agent']);
    expect(listed.stdout).toContain(`${id}  connect to example.com:443`);
    const allowed = await holdfast(scene, ['approvals', 'agent', 'allow', id, '--once']);
    expect(allowed).toMatchObject({ status: 0, stdout: 'allowed once: connect to example.com:443\n' });
    expect(queue.answers).toEqual([{ hash: hashOf(1), decision: 'once', channel: 'terminal' }]);
    expect((await holdfast(scene, ['approvals', 'agent', 'allow', id, '--once'])).status).toBe(1);
    queue.ask(approvalOf(2));
    const [{ id: second = '' } = {}] = (
      JSON.parse((await holdfast(scene, ['approvals', 'agent', 'list', '--json'])).stdout) as {
        readonly approvals: readonly { readonly id: string }[];
      }
    ).approvals;
    expect(await holdfast(scene, ['approvals', 'agent', 'deny', second])).toMatchObject({ status: 0 });
    expect(queue.answers.at(-1)).toMatchObject({ hash: hashOf(2), decision: 'deny' });
    await command.endInput();
    await command.ended;
    expect(scene.api.store.names).toEqual([]);
  });

  test('count as unattended without a reader, without a terminal, and for a detached run', async () => {
    for (const more of [{ questions: 'unheard' }, { mode: 'detached' }]) {
      using scene = await ClusterScene.open();
      const { someone } = await withSupervisor(scene, more);
      expect(await someone()).toBe(false);
      expect(scene.api.streams.commands.join()).not.toContain('approvals relay');
    }
    using scene = await ClusterScene.open();
    const command = await scene.start(['cat'], { questions: 'told' });
    await command.endInput();
    await command.ended;
    expect(scene.api.streams.commands.join()).not.toContain('approvals relay');
  });

  test('a detached run’s questions are answered while someone watches', async () => {
    using scene = await ClusterScene.open();
    const { queue, someone } = await withSupervisor(scene, { mode: 'detached' });
    const cluster = await scene.cluster();
    const changes: string[] = [];
    const watch = await cluster.approvals('agent', ({ kind, approval }) => changes.push(`${kind} ${approval.title}`));
    await watch.ready;
    expect(await someone()).toBe(true);
    queue.ask(approvalOf(1));
    await expect.poll(() => watch.pending().length).toBe(1);
    const [question] = watch.pending();
    expect(await watch.answer({ hash: question?.hash ?? '', decision: 'session' })).toEqual({ kind: 'taken' });
    expect(changes).toEqual(['asked run step 1', 'resolved run step 1']);
    watch.close();
    await watch.ended;
    await expect.poll(someone).toBe(false);
    await cluster.stop('agent', { changes: 'discard' });
  });

  test('have an ID of this machine, and never add a permanent rule', async () => {
    using scene = await ClusterScene.open();
    const { queue } = await withSupervisor(scene, { mode: 'detached' });
    const cluster = await scene.cluster();
    const watch = await cluster.approvals('agent');
    await watch.ready;
    queue.ask(approvalOf(1, { always: { file: '/policy.toml', text: 'decision = "allow"' } }));
    await expect.poll(() => watch.pending().length).toBe(1);
    const [question] = watch.pending();
    // Attack: a cluster shows a question under the hash of one that waits on this machine.
    expect(question?.hash).not.toBe(hashOf(1));
    expect(question).not.toHaveProperty('always');
    expect(question?.session).toBe('cluster sandbox agent');
    expect(await watch.answer({ hash: hashOf(1), decision: 'once' })).toEqual({ kind: 'unknown' });
    expect(await watch.answer({ hash: question?.hash ?? '', decision: 'always' })).toMatchObject({ kind: 'refused' });
    expect(queue.answers).toEqual([]);
    watch.close();
    await cluster.stop('agent', { changes: 'discard' });
  });

  test('return after a lost connection', async () => {
    using scene = await ClusterScene.open();
    const { queue, command } = await withSupervisor(scene);
    queue.ask(approvalOf(1));
    await expect.poll(() => scene.notices.length).toBe(1);
    for (const client of scene.api.streams.relays) client.terminate();
    await expect.poll(() => scene.notices.length, { timeout: 10_000 }).toBe(2);
    await command.endInput();
    await command.ended;
  });
});

describe('questions of a box', () => {
  test('wait in the command’s container, without any network, and are reported and answered the same way', async () => {
    using scene = await ClusterScene.open();
    scene.project.write('../home/.config/holdfast/policy.toml', boxAsks);
    const { queue, someone } = await queueOf(scene, 'command');
    const command = await scene.start(['cat'], { questions: 'told' });
    expect(await someone()).toBe(true);
    queue.ask(approvalOf(1, { title: 'read notes/a.txt' }));
    await expect.poll(() => scene.notices.join('\n')).toContain('waits 60 s for approval: read notes/a.txt');
    const id = / allow ([0-9a-f]{12})$/mu.exec(scene.notices.join('\n'))?.[1] ?? '';
    const allowed = await holdfast(scene, ['approvals', 'agent', 'allow', id, '--once']);
    expect(allowed).toMatchObject({ status: 0, stdout: 'allowed once: read notes/a.txt\n' });
    expect(queue.answers).toEqual([{ hash: hashOf(1), decision: 'once', channel: 'terminal' }]);
    await command.endInput();
    await command.ended;
    expect(scene.api.store.names).toEqual([]);
  });

  test('are reported beside those of the supervisor, and each answer goes to its own container', async () => {
    using scene = await ClusterScene.open();
    scene.project.write('../home/.config/holdfast/policy.toml', `${asking}${boxAsks.replace('version = 1\n', '')}`);
    const [supervisor, box] = [await queueOf(scene, 'supervisor'), await queueOf(scene, 'command')];
    await scene.start(['cat'], { mode: 'detached' });
    const cluster = await scene.cluster();
    const watch = await cluster.approvals('agent');
    await watch.ready;
    expect([await supervisor.someone(), await box.someone()]).toEqual([true, true]);
    // Attack: a program that left its box shows a harmless question under the hash of one of the supervisor's.
    box.queue.ask(approvalOf(1, { title: 'connect to harmless.example' }));
    await expect.poll(() => watch.pending().length).toBe(1);
    supervisor.queue.ask(approvalOf(1, { title: 'connect to example.com:443' }));
    await expect.poll(() => watch.pending().length).toBe(2);
    const by = Map.groupBy(watch.pending(), ({ session }) => session);
    expect([...by.keys()].toSorted()).toEqual(['box of the cluster sandbox agent', 'cluster sandbox agent']);
    const [forged] = by.get('box of the cluster sandbox agent') ?? [];
    expect(await watch.answer({ hash: forged?.hash ?? '', decision: 'once' })).toEqual({ kind: 'taken' });
    expect([box.queue.answers.length, supervisor.queue.answers]).toEqual([1, []]);
    watch.close();
    await watch.ended;
    await cluster.stop('agent', { changes: 'discard' });
  });

  test('are ignored without an asking rule of the box', async () => {
    using scene = await ClusterScene.open();
    await withSupervisor(scene);
    const box = await queueOf(scene, 'command');
    expect(await box.someone()).toBe(false);
  });
});

describe('a cluster that lies', () => {
  test.each([
    ['no line', 'hello\n'],
    ['an endless line', 'x'.repeat(2 << 20)],
    ['a question without its fields', '{"kind":"asked","approval":{"hash":"x"}}\n'],
  ])('%s ends the stream, and nothing waits', async (_, text) => {
    using scene = await ClusterScene.open();
    await withSupervisor(scene, { mode: 'detached' });
    scene.api.node.holdfast.relay = text;
    const watch = await (await scene.cluster()).approvals('agent');
    await expect(watch.ready).rejects.toThrow(/tells no questions/u);
    expect(watch.pending()).toEqual([]);
  });

  test('asks more questions than a person can read', async () => {
    using scene = await ClusterScene.open();
    await withSupervisor(scene, { mode: 'detached' });
    const lines = Array.from({ length: 3000 }, (_, at) => JSON.stringify({ kind: 'asked', approval: approvalOf(at) }));
    scene.api.node.holdfast.relay = `${lines.join('\n')}\n{"kind":"ready"}\n`;
    const seen: string[] = [];
    const watch = await (await scene.cluster()).approvals('agent', ({ approval }) => seen.push(approval.hash));
    await watch.ready;
    expect(new Set(seen).size).toBe(1000);
  });

  test('control characters of a question do not reach the terminal', async () => {
    using scene = await ClusterScene.open();
    const { queue } = await withSupervisor(scene, { mode: 'detached' });
    queue.ask(approvalOf(1, { title: 'safe\u001b[2Jtext', rule: '\u0007', workspace: '/x\u001b]0;' }));
    const { stdout } = await holdfast(scene, ['approvals', 'agent']);
    expect(stdout).toContain('safe');
    expect(stdout.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  });
});

test.each([
  [['approvals', 'agent', 'totp'], 'expected list, watch, allow, deny'],
  [['approvals'], 'takes one name'],
  [['approvals', 'nobody'], 'there is no sandbox "nobody"'],
])('%j is one line', async (words, said) => {
  using scene = await ClusterScene.open();
  expect((await holdfast(scene, words)).stderr).toContain(said);
});

test('a sandbox whose command has ended asks nothing without a network', async () => {
  using scene = await ClusterScene.open();
  await scene.start(['true'], { mode: 'detached' });
  await expect
    .poll(async () => (await holdfast(scene, ['approvals', 'agent'])).stderr, { timeout: 10_000 })
    .toContain('runs no command: it is ended');
});
