import { expect, test } from 'vitest';
import { rounds } from '../../scripts/testing/extent.ts';
import type { Fault } from './api-server.ts';
import { ClusterScene } from './cluster-scene.ts';

const acts: readonly Fault['act'][] = [
  'cut',
  'cut-after-write',
  'watch-forgotten',
  { status: 429, retryAfter: '0' },
  { status: 500 },
  { status: 503 },
];

/** The same sequence each time. */
function dice(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
}

test('many runs at once, with faults in every tenth request: none is lost, duplicated or left', async () => {
  using scene = await ClusterScene.open();
  scene.project.write('input.txt', 'input\n');
  const roll = dice(7);
  scene.api.chance = () => (roll() < 0.1 ? acts[Math.floor(roll() * acts.length)] : undefined);
  const patience = { answer: 10_000, tries: 60_000 };
  const seen = new Map<string, string>();
  const names = Array.from({ length: rounds(45) }, (_, index) => `agent-${index}`);
  const ends = await Promise.all(
    names.map(async (name, index) => {
      const onOutput = (_: string, bytes: Buffer): void =>
        void seen.set(name, (seen.get(name) ?? '') + bytes.toString());
      const script = `cat input.txt; echo ${name} > own.txt; exit ${index % 3}`;
      const kind = index % 2 === 0 ? 'pod' : 'sandbox';
      const command = await scene.start(['sh', '-c', script], { name, kind, onOutput }, { patience });
      await command.endInput();
      return command.ended;
    }),
  );
  expect(ends).toMatchObject(
    names.map((_, index) => ({ kind: 'ended', exitCode: index % 3, changes: { changed: 1 } })),
  );
  expect([...seen.values()]).toEqual(names.map(() => 'input\n'));
  expect(new Set(ends.map((end) => (end.kind === 'ended' ? end.changes?.layer : '')))).toHaveProperty(
    'size',
    names.length,
  );
  expect(scene.api.node.pods.size).toBe(names.length);
  expect(scene.api.store.names).toEqual([]);
});
