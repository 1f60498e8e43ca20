import { describe, expect, test } from 'vitest';
import { type ClusterRequest, manifestsYaml, renderClaim, turnWords } from './index.ts';
import { poolManifests as renderPool } from './session/pools/manage-pools.ts';
import { anthropicKey, clusterPlan, sandboxRequest } from './testing/request.ts';
import { poolShape, shapeId } from './session/pools/pool-shape.ts';

const request: ClusterRequest = { ...sandboxRequest, name: 'fast' };
const limited = { ...request.plan, limits: { ...request.plan.limits, wall: 60_000 } };
const claim = {
  shown: [],
  agentSandbox: 'v1alpha1',
  name: 'one',
  namespace: 'ci',
  pool: 'fast',
  run: '0123456789abcdef',
  expires: 1_800_000_000_000,
} as const;

describe('a pool', () => {
  test('has a template, a pool and their shared objects', async () => {
    const manifests = renderPool(request, 3);
    expect(manifests.map(({ kind }) => kind)).toEqual([
      'ConfigMap',
      'NetworkPolicy',
      'SandboxTemplate',
      'SandboxWarmPool',
    ]);
    await expect(manifestsYaml(manifests)).toMatchFileSnapshot('golden/a-pool.yaml');
  });

  test('has the version that its cluster offers, and the claim names the pool in the matching field', async () => {
    const manifests = renderPool({ ...request, agentSandbox: 'v1beta1' }, 3);
    await expect(manifestsYaml(manifests)).toMatchFileSnapshot('golden/a-pool-beta.yaml');
    const beta = renderClaim({ ...claim, agentSandbox: 'v1beta1' });
    await expect(manifestsYaml([beta])).toMatchFileSnapshot('golden/a-claim-beta.yaml');
    // Pods of both versions are the same.
    expect(poolShape({ ...request, agentSandbox: 'v1beta1' })).toEqual(poolShape(request));
  });

  test('contains no command, no variable of one run and no deadline, because it waits', () => {
    const text = JSON.stringify(renderPool({ ...request, plan: limited }, 1));
    for (const word of ['npm', 'C.UTF-8', 'activeDeadlineSeconds']) expect(text).not.toContain(word);
  });

  test('none of its objects has the label of a run, by which `stop` removes objects', () => {
    for (const { metadata } of renderPool(request, 1))
      expect(metadata.labels).not.toHaveProperty('holdfast.dev/sandbox');
  });

  test.each([0, 0.5, Number.NaN, 10_001])('rejects a bad size: %s', (size) => {
    expect(() => renderPool(request, size)).toThrow('size of a pool');
  });

  test.each(['default', 'none'])('rejects the name %s, which a claim gives its own meaning', (name) => {
    expect(() => renderPool({ ...request, name }, 1)).toThrow('meaning of its own');
  });

  test('holds no credentials: its pods wait before anyone claims them', () => {
    expect(() => renderPool({ ...request, credentials: [anthropicKey] }, 1)).toThrow('a pool cannot hold credentials');
  });
});

test('a claim names its pool, and ends', async () => {
  const manifest = renderClaim(claim);
  expect(manifest.spec).toEqual({
    sandboxTemplateRef: { name: 'fast' },
    warmpool: 'fast',
    lifecycle: { shutdownTime: '2027-01-15T08:00:00Z', shutdownPolicy: 'Delete' },
  });
  await expect(manifestsYaml([manifest])).toMatchFileSnapshot('golden/a-claim.yaml');
});

describe('the shape of a pool', () => {
  const shape = poolShape(request);

  test.each<[string, Partial<ClusterRequest>]>([
    ['command', { plan: clusterPlan('[network]\nhosts = ["example.com"]\n', ['make']) }],
    ['name', { name: 'other' }],
    ['run', { run: { id: claim.run, terminal: 'own', input: 'once' } }],
  ])('is the same for another %s', (_, change) => {
    expect(poolShape({ ...request, ...change })).toEqual(shape);
  });

  test.each<[string, Partial<ClusterRequest>, readonly string[]]>([
    ['an image', { image: 'other:1' }, ['image', 'pod']],
    ['a policy', { policies: [] }, ['policy', 'pod']],
    ['a grant', { options: ['--host', 'example.org'] }, ['policy', 'pod']],
    ['a closed network', { plan: clusterPlan('') }, ['policy', 'pod']],
    ['a limit', { plan: limited }, ['limits']],
    ['a workspace', { workspace: '/work', plan: { ...request.plan, mounts: [] } }, ['workspace', 'pod']],
    ['a runtime class', { runtimeClass: 'kata' }, ['pod']],
  ])('differs for %s', (_, change, parts) => {
    const other = poolShape({ ...request, ...change });
    for (const part of parts) expect(other).not.toHaveProperty(part, shape[part as keyof typeof shape]);
    expect(shapeId(other)).not.toBe(shapeId(shape));
    expect(shapeId(other)).toMatch(/^[0-9a-f]{32}$/u);
  });
});

test('the command of a claim brings its variables and its box', () => {
  const words = turnWords(request);
  expect(words).toContain('LANG=C.UTF-8');
  expect(words.slice(-3)).toEqual(['--', 'npm', 'test']);
});

test('a pool and a claim on it are rendered in 20 ms', () => {
  renderPool(request, 1);
  const times = Array.from({ length: 9 }, () => {
    const before = performance.now();
    renderPool(request, 100);
    renderClaim(claim);
    return performance.now() - before;
  });
  // Other work on the machine only makes a round slower.
  expect(Math.min(...times)).toBeLessThan(20);
});
