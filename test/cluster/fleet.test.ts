import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { extent } from '../../scripts/testing/extent.ts';
import type { Fault } from './api-server.ts';
import { ClusterScene } from './cluster-scene.ts';

/** A fault in every twentieth request. The client has to survive each. */
const acts: readonly Fault['act'][] = [
  'cut',
  'cut-after-write',
  'watch-forgotten',
  { status: 409 },
  { status: 429, retryAfter: '0' },
  { status: 500 },
  { status: 503 },
];
const claims = extent === 'whole' ? 1000 : 60;
const together = 24;
const warm = 12;
const mostMegabytes = 200;
/** Node's collector uses all memory that it gets. These options show the client's real need. */
const heap = ['--max-old-space-size=96', '--max-semi-space-size=4'];

interface FleetLine {
  readonly name?: string;
  readonly said?: string;
  readonly end?: { readonly kind: string; readonly exitCode: number; readonly changes: { readonly layer: string } };
  readonly megabytes?: number;
}

async function fleet(scene: ClusterScene): Promise<{ readonly lines: readonly FleetLine[]; readonly said: string }> {
  const client = join(import.meta.dirname, 'fleet-client.ts');
  const { workspace, libraryEnvironment } = scene.project;
  const child = spawn(process.execPath, [...heap, client, String(claims), String(together), String(warm), workspace], {
    env: { ...libraryEnvironment, KUBECONFIG: scene.kubeconfig },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const seen = { stdout: '', stderr: '' };
  child.stdout.on('data', (bytes: Buffer) => (seen.stdout += bytes.toString()));
  child.stderr.on('data', (bytes: Buffer) => (seen.stderr += bytes.toString()));
  await once(child, 'close');
  const lines = seen.stdout.split('\n').filter((line) => line !== '');
  return { lines: lines.map((line) => JSON.parse(line) as FleetLine), said: seen.stderr };
}

test(`${claims} claims on a pool, with faults: none is lost, duplicated or left`, async () => {
  using scene = await ClusterScene.open();
  const { project, api } = scene;
  project.write('input.txt', 'input\n');
  // The owner of each sandbox of a claim. A second sandbox for one claim is a duplicate, and one for two claims is
  // shared.
  const owners = new Map<string, string>();
  const stop = api.store.follow(api.store.version, ({ plural, object: { metadata } }) => {
    const [owner] = metadata.ownerReferences ?? [];
    if (plural !== 'sandboxes' || owner?.kind !== 'SandboxClaim') return;
    expect(owners.get(metadata.uid) ?? owner.name).toBe(owner.name);
    owners.set(metadata.uid, owner.name ?? '');
  });
  let requests = 0;
  let faults = 0;
  api.chance = (line) => {
    requests += 1;
    if (requests % 20 !== 0) return undefined;
    faults += 1;
    const act = acts[faults % acts.length];
    // A conflict is an answer to a write.
    const isConflict = typeof act === 'object' && act.status === 409;
    return isConflict && line.startsWith('GET') ? { status: 500 } : act;
  };
  const began = Date.now();
  const { lines, said } = await fleet(scene);
  const seconds = Math.round((Date.now() - began) / 1000);
  api.chance = () => undefined;
  expect(said).toBe('');
  const ends = new Map(lines.flatMap(({ name, ...rest }) => (name === undefined ? [] : [[name, rest] as const])));
  expect(ends.size).toBe(claims);
  for (const [name, { said: output, end }] of ends) {
    expect(output).toBe('input\n');
    expect(end).toMatchObject({ kind: 'ended', exitCode: Number(name.slice('agent-'.length)) % 3 });
  }
  expect(new Set([...ends.values()].map(({ end }) => end?.changes.layer))).toHaveProperty('size', claims);
  expect(new Set(owners.values())).toHaveProperty('size', claims);
  expect(owners.size).toBe(claims);
  const megabytes = lines.at(-1)?.megabytes ?? Infinity;
  expect(megabytes).toBeLessThanOrEqual(mostMegabytes);
  const left = api.store.names.filter((name) => !/^(?:pods|sandboxes)\/fast-/u.test(name));
  expect(left).toEqual(['networkpolicies/fast', 'sandboxtemplates/fast', 'sandboxwarmpools/fast']);
  await expect.poll(() => api.store.list('pods', 'agents').length, { timeout: 20_000 }).toBe(warm);
  if (typeof stop === 'function') stop();
  process.stderr.write(
    `fleet: ${claims} claims, ${requests} requests, ${faults} faults, ${megabytes} MB, ${seconds} s\n`,
  );
}, 1_800_000);
