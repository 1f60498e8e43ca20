import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readEvents } from '../../src/audit/index.ts';
import { verifyJournal } from '../../src/audit/verify.ts';
import { ClusterScene } from './cluster-scene.ts';

const open = (scene: ClusterScene) => ({
  session: {
    cwd: scene.project.workspace,
    environment: scene.project.libraryEnvironment,
    grants: { hosts: ['a.test'] },
  },
});
const place = { session: 'mine', workspace: '/elsewhere', time: '2026-01-01T00:00:00.000Z' };
const call = {
  type: 'model',
  ...place,
  provider: 'anthropic',
  dialect: 'anthropic-messages',
  operation: 'generate',
  host: 'api.anthropic.com',
  port: 443,
  model: 'claude-sonnet-4-5',
  status: 200,
  tokens: { uncachedInput: 10, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 20, reasoning: 0 },
  usd: 0.5,
  prices: '2026-01-01',
  completeness: 'complete',
  duration: 12,
  toolCalls: [],
};
const refusal = {
  type: 'refusal',
  ...place,
  request: { kind: 'connect', host: 'b.test', port: 443, protocol: 'tcp' },
  verdict: {
    decision: 'deny',
    code: 'not-granted',
    rule: 'network.hosts',
    layer: 'user',
    file: 'policy.toml',
    line: 0,
    message: 'connecting to b.test:443 is not granted',
    remedy: 'add it',
  },
  observed: 'enforcement',
};

function journalOf(scene: ClusterScene) {
  return readEvents(join(scene.project.state, 'journal.jsonl'));
}

test('usage and why of this machine include the calls of a run', async () => {
  using scene = await ClusterScene.open();
  scene.api.node.holdfast.journal = [call, refusal].map((event) => `${JSON.stringify(event)}\n`).join('');
  const end = await scene.run('true', open(scene));
  expect(end.journal).toEqual({ events: 2, leftOut: 0 });
  const { project } = scene;
  const usage = project.holdfast(['usage', '--by', 'session,model', '--json']).stdout;
  expect(JSON.parse(usage)).toMatchObject({
    rows: [{ key: { session: expect.stringMatching(/^cluster-[0-9a-f]{16}$/u) as string }, usd: 0.5 }],
  });
  expect(usage).toContain('claude-sonnet-4-5');
  expect(project.holdfast(['why']).stdout).toContain('connecting to b.test:443 is not granted');
  const [told] = journalOf(scene).filter(({ type }) => type === 'cluster.journal');
  expect(told).toMatchObject({ workspace: project.workspace, events: 2, leftOut: 0 });
  expect((await verifyJournal(join(project.state, 'journal.jsonl'))).problems).toEqual([]);
  expect(scene.api.store.names).toEqual([]);
});

test('stop collects it too, even if the changes are dropped', async () => {
  using scene = await ClusterScene.open();
  scene.api.node.holdfast.journal = `${JSON.stringify(call)}\n`;
  await scene.start(['sleep', '60'], { ...open(scene), mode: 'detached' });
  const stopped = await (await scene.cluster()).stop('agent', { changes: 'discard' });
  expect(stopped.journal).toEqual({ events: 1, leftOut: 0 });
  expect(journalOf(scene).filter(({ type }) => type === 'model')).toHaveLength(1);
});

test('a cluster can write only about its run', async () => {
  using scene = await ClusterScene.open();
  const { workspace } = scene.project;
  const forged = [
    // Attack: an event of another session, in another workspace, with another place in the chain.
    { ...call, session: 'mine', workspace: '/etc', seq: 1, prev: 'x', mac: 'y', v: 2, extra: 'field' },
    { type: 'journal.begun', aside: '/x', reason: 'y' },
    { type: 'trust.decided', ...place },
    { type: 'cluster.collect', ...place, run: 'x', changes: 1 },
    { type: 'session.start', ...place },
    { ...call, usd: -1 },
    { ...call, port: 99_999_999 },
    { ...refusal, verdict: 'none' },
  ];
  const lines = [...forged.map((event) => JSON.stringify(event)), 'no JSON', 'null', '[]', '"model"'];
  scene.api.node.holdfast.journal = `${lines.join('\n')}\n`;
  expect((await scene.run('true', open(scene))).journal).toEqual({ events: 1, leftOut: lines.length - 1 });
  const events = journalOf(scene);
  expect(events.map(({ type }) => type)).toEqual(['cluster.run', 'cluster.collect', 'cluster.journal', 'model']);
  expect(events.at(-1)).toMatchObject({ workspace, session: expect.stringMatching(/^cluster-/u) as string, seq: 4 });
  expect(JSON.stringify(events)).not.toContain('/etc');
  expect(JSON.stringify(events)).not.toContain('extra');
});

test.each([
  ['an endless journal', 'x'.repeat(33 << 20)],
  ['a missing program', undefined],
])('%s costs a line, and nothing else', { timeout: 60_000 }, async (_, journal) => {
  using scene = await ClusterScene.open();
  if (journal === undefined) scene.api.node.holdfast.audit = 'absent';
  else scene.api.node.holdfast.journal = journal;
  const end = await scene.run('echo x > x.txt', open(scene));
  expect(end).toMatchObject({ exitCode: 0, changes: { changed: 1 } });
  expect(end.journal).toBeUndefined();
  expect(scene.notices.join()).toMatch(/journal of the pod’s supervisor did not come home/u);
  expect(scene.api.store.names).toEqual([]);
});

test('a closed network has no supervisor, and nothing to collect', async () => {
  using scene = await ClusterScene.open();
  expect((await scene.run('true')).journal).toBeUndefined();
  expect(scene.api.streams.commands.join()).not.toContain('audit show');
});
