import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ApiServer } from './api-server.ts';
import type { StoredObject } from './object-store.ts';

/*
 * The controllers of agent-sandbox as the tests' server imitates them, by the published types and controllers of
 * kubernetes-sigs/agent-sandbox, v1alpha1.
 */

const extensions = 'extensions.agents.x-k8s.io/v1alpha1';
let api: ApiServer;
beforeEach(async () => {
  api = await ApiServer.start();
  api.node.delay = 1;
});
afterEach(() => api[Symbol.dispose]());

function make(kind: string, plural: string, { name, spec }: { readonly name: string; readonly spec: object }) {
  return api.store.create(plural, 'agents', { apiVersion: extensions, kind, metadata: { name }, spec } as never);
}

function template(name = 'fast'): void {
  const container = { name: 'command', command: ['sleep', '60'], workingDir: '/work' };
  const podTemplate = { metadata: { labels: { shape: name } }, spec: { containers: [container] } };
  make('SandboxTemplate', 'sandboxtemplates', { name, spec: { podTemplate } });
}

const pool = (replicas: number, name = 'fast') =>
  make('SandboxWarmPool', 'sandboxwarmpools', { name, spec: { replicas, sandboxTemplateRef: { name: 'fast' } } });
const claim = (name: string, more: object = {}) =>
  make('SandboxClaim', 'sandboxclaims', { name, spec: { sandboxTemplateRef: { name: 'fast' }, ...more } });
const claimed = (name: string) => api.store.get('sandboxclaims', 'agents', name);
const sandboxOf = (name: string) =>
  (claimed(name)?.status?.['sandbox'] as { readonly name?: string } | undefined)?.name ?? '';
const reasonOf = (object: StoredObject | undefined) =>
  (object?.status?.['conditions'] as readonly { readonly reason: string }[] | undefined)?.[0]?.reason;
const count = (plural: string) => api.store.list(plural, 'agents').length;
const ready = (replicas: number) =>
  expect
    .poll(() => api.store.get('sandboxwarmpools', 'agents', 'fast')?.status, { timeout: 5000 })
    .toMatchObject({ replicas, readyReplicas: replicas });
const soon = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();

describe('a warm pool', () => {
  test('fills from its template, and its sandboxes belong to it', async () => {
    template();
    const { uid } = pool(3).metadata;
    await ready(3);
    const sandboxes = api.store.list('sandboxes', 'agents');
    expect(sandboxes.map(({ metadata }) => metadata.ownerReferences)).toMatchObject(
      sandboxes.map(() => [{ kind: 'SandboxWarmPool', uid, controller: true }]),
    );
    expect(count('pods')).toBe(3);
    expect(api.store.list('pods', 'agents')[0]?.metadata.labels).toMatchObject({ shape: 'fast' });
  });

  test('is filled again after a claim, and empties with the pool', async () => {
    template();
    const made = pool(2);
    await ready(2);
    const before = api.store.list('sandboxes', 'agents').map(({ metadata }) => metadata.name);
    claim('one');
    await expect.poll(() => before.includes(sandboxOf('one'))).toBe(true);
    await expect.poll(() => count('sandboxes')).toBe(3);
    api.controller.delete('sandboxwarmpools', made);
    await expect.poll(() => count('pods')).toBe(1);
    expect(api.store.list('sandboxes', 'agents').map(({ metadata }) => metadata.name)).toEqual([sandboxOf('one')]);
  });

  test('a smaller size ends surplus sandboxes', async () => {
    template();
    api.store.change('sandboxwarmpools', pool(3), { spec: { replicas: 1, sandboxTemplateRef: { name: 'fast' } } });
    await ready(1);
  });
});

describe('a claim', () => {
  test('takes over a warm sandbox: owner, labels, status', async () => {
    template();
    pool(1);
    await ready(1);
    const { uid } = claim('one').metadata;
    await expect.poll(() => reasonOf(claimed('one'))).toBe('DependenciesReady');
    const sandbox = api.store.get('sandboxes', 'agents', sandboxOf('one'));
    expect(sandbox?.metadata.ownerReferences).toEqual([
      {
        apiVersion: extensions,
        kind: 'SandboxClaim',
        name: 'one',
        uid,
        controller: true,
        blockOwnerDeletion: true,
      },
    ]);
    expect(sandbox?.metadata.labels?.['agents.x-k8s.io/warm-pool-sandbox']).toBeUndefined();
    expect(sandbox?.metadata.annotations?.['agents.x-k8s.io/pod-name']).toBe(sandboxOf('one'));
  });

  test.each([
    ['without a pool', {}],
    ['that requests none', { warmpool: 'none' }],
    ['of another pool', { warmpool: 'slow' }],
  ])('%s gets a sandbox of its own name from the template', async (title, more) => {
    template();
    if (title !== 'without a pool') {
      pool(1);
      await ready(1);
    }
    claim('one', more);
    await expect.poll(() => sandboxOf('one')).toBe('one');
  });

  test('without a template waits for one', async () => {
    claim('one');
    await expect.poll(() => reasonOf(claimed('one'))).toBe('TemplateNotFound');
    template();
    await expect.poll(() => sandboxOf('one')).toBe('one');
  });

  test('takes its sandbox and its pod with it', async () => {
    template();
    api.controller.delete('sandboxclaims', claim('early'));
    const made = claim('one');
    await expect.poll(() => reasonOf(claimed('one'))).toBe('DependenciesReady');
    api.controller.delete('sandboxclaims', made);
    await expect.poll(() => api.store.names).toEqual(['sandboxtemplates/fast']);
  });

  test('two claims never get the same sandbox', async () => {
    template();
    pool(2);
    await ready(2);
    const names = Array.from({ length: 12 }, (_, index) => `agent-${index}`);
    for (const name of names) claim(name);
    await expect.poll(() => new Set(names.map(sandboxOf).filter((name) => name !== '')).size).toBe(12);
  });
});

describe('the end of a claim', () => {
  test.each(['Delete', 'DeleteForeground'])('%s leaves nothing', async (shutdownPolicy) => {
    template();
    claim('one', { lifecycle: { shutdownTime: soon(0.2), shutdownPolicy } });
    await expect.poll(() => sandboxOf('one')).toBe('one');
    await expect.poll(() => api.store.names, { timeout: 5000 }).toEqual(['sandboxtemplates/fast']);
  });

  test.each([{ shutdownPolicy: 'Retain' }, {}])('Retain, the default, leaves the claim alone', async (policy) => {
    template();
    claim('one', { lifecycle: { shutdownTime: soon(0.2), ...policy } });
    await expect.poll(() => reasonOf(claimed('one')), { timeout: 5000 }).toBe('ClaimExpired');
    await expect.poll(() => api.store.names).toEqual(['sandboxtemplates/fast', 'sandboxclaims/one']);
  });

  test('moves with its shutdown time', async () => {
    template();
    const made = claim('one', { lifecycle: { shutdownTime: soon(0.3), shutdownPolicy: 'Delete' } });
    api.store.change('sandboxclaims', made, {
      spec: { ...made.spec, lifecycle: { shutdownTime: soon(60), shutdownPolicy: 'Delete' } },
    });
    await sleep(600);
    expect(sandboxOf('one')).toBe('one');
  });
});

test('a sandbox ends at its own shutdown time', async () => {
  const podTemplate = { spec: { containers: [{ name: 'command', command: ['sleep', '9'], workingDir: '/work' }] } };
  const spec = { podTemplate, shutdownTime: soon(0.2), shutdownPolicy: 'Delete' };
  make('Sandbox', 'sandboxes', { name: 'one', spec });
  await expect.poll(() => count('pods')).toBe(1);
  await expect.poll(() => api.store.names, { timeout: 5000 }).toEqual([]);
});
