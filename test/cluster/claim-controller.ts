import { randomBytes } from 'node:crypto';
import type { FakeNode } from './fake-node.ts';
import type { ObjectStore, OwnerReference, StoredObject } from './object-store.ts';

const poolLabel = 'agents.x-k8s.io/warm-pool-sandbox';
const claimLabel = 'agents.x-k8s.io/claim-uid';
const podName = 'agents.x-k8s.io/pod-name';
const core = 'agents.x-k8s.io/v1alpha1';

interface PodTemplate {
  readonly metadata?: { readonly labels?: Record<string, string>; readonly annotations?: Record<string, string> };
  readonly spec: Record<string, unknown>;
}
interface Lifecycle {
  readonly shutdownTime?: string;
  readonly shutdownPolicy?: 'Delete' | 'DeleteForeground' | 'Retain';
}
interface Condition {
  readonly type: 'Ready';
  readonly status: 'True' | 'False';
  readonly reason: string;
}

/**
 * The controllers of agent-sandbox v1alpha1 and v1beta1, and the garbage collector, as far as clients see them. A claim adopts a
 * warm sandbox, or gets one from its template under its own name. The controllers refill pools, keep shutdown times,
 * and delete orphans.
 */
export class ClaimController {
  readonly #store: ObjectStore;
  readonly #node: FakeNode;
  readonly #due = new Set<string>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #stop: () => void;
  #isOver = false;

  /** Milliseconds that the cluster's clock is ahead of this machine's. */
  clockAhead = 0;

  constructor(store: ObjectStore, node: FakeNode) {
    this.#store = store;
    this.#node = node;
    store.collector = (plural, object) => this.delete(plural, object);
    const stop = store.follow(store.version, ({ plural, object }) => this.#queue(plural, object));
    this.#stop = stop === 'forgotten' ? () => undefined : stop;
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    this.#stop();
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }

  /** Deletes as for a client: a pod has its grace, and owned objects follow their owner. */
  delete(plural: string, object: StoredObject): void {
    if (plural !== 'pods') return this.#store.remove(plural, object);
    if (object.metadata.deletionTimestamp !== undefined) return;
    const deletionTimestamp = new Date().toISOString();
    this.#node.remove(this.#store.change('pods', object, { metadata: { ...object.metadata, deletionTimestamp } }));
  }

  #queue(plural: string, { metadata: { namespace, name, labels, ownerReferences = [] } }: StoredObject): void {
    this.#soon(`${plural}/${namespace}/${name}`);
    for (const owner of ownerReferences) this.#soon(`${pluralOf(owner.kind)}/${namespace}/${owner.name}`);
    const changed = plural === 'sandboxes' && labels?.[poolLabel] === undefined;
    if (plural === 'sandboxtemplates' || changed) this.#all(['sandboxwarmpools'], namespace);
    if (plural === 'sandboxtemplates') this.#all(['sandboxclaims'], namespace);
  }

  #all(plurals: readonly string[], namespace: string): void {
    for (const plural of plurals)
      for (const { metadata } of this.#store.list(plural, namespace))
        this.#soon(`${plural}/${namespace}/${metadata.name}`);
  }

  #soon(at: string): void {
    if (this.#due.size === 0) setImmediate(() => this.#work());
    this.#due.add(at);
  }

  #work(): void {
    const due = [...this.#due];
    this.#due.clear();
    if (this.#isOver) return;
    for (const at of due) {
      const [plural = '', namespace = '', name = ''] = at.split('/');
      const object = this.#store.get(plural, namespace, name);
      if (object === undefined || object.metadata.deletionTimestamp !== undefined) continue;
      if (plural === 'sandboxes') this.#sandbox(object);
      if (plural === 'sandboxwarmpools') this.#pool(object);
      if (plural === 'sandboxclaims') this.#claim(object);
    }
  }

  #sandbox(sandbox: StoredObject): void {
    const { name, namespace } = sandbox.metadata;
    const lifecycle = (sandbox.spec ?? {}) as Lifecycle;
    const pod = this.#store.get('pods', namespace, name);
    if (this.#isExpired('sandboxes', sandbox, lifecycle)) {
      if (lifecycle.shutdownPolicy === 'Delete') return this.delete('sandboxes', sandbox);
      if (pod !== undefined) this.delete('pods', pod);
      return this.#report('sandboxes', sandbox, { condition: not('SandboxExpired') });
    }
    if (pod === undefined) return this.#makePod(sandbox);
    const statuses = (pod.status?.['containerStatuses'] ?? []) as readonly { readonly state?: { running?: object } }[];
    const isReady = statuses.length > 0 && statuses.every(({ state }) => state?.running !== undefined);
    this.#report('sandboxes', sandbox, { condition: isReady ? yes('DependenciesReady') : not('DependenciesNotReady') });
  }

  #makePod(sandbox: StoredObject): void {
    const { name, namespace } = sandbox.metadata;
    const { metadata, spec } = (sandbox.spec ?? {})['podTemplate'] as PodTemplate;
    const pod = this.#store.create('pods', namespace, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { ...metadata, name, ownerReferences: [ownerOf({ ...sandbox, apiVersion: core, kind: 'Sandbox' })] },
      spec,
    } as unknown as StoredObject);
    this.#node.schedule(pod);
  }

  #pool(pool: StoredObject): void {
    const { namespace, name, uid } = pool.metadata;
    const { replicas = 0, sandboxTemplateRef } = (pool.spec ?? {}) as {
      readonly replicas?: number;
      readonly sandboxTemplateRef?: { readonly name: string };
    };
    const own = this.#store
      .list('sandboxes', namespace, `${poolLabel}=${hash(name)}`)
      .filter(({ metadata }) => metadata.ownerReferences?.some((owner) => owner.uid === uid));
    for (const surplus of own.slice(replicas)) this.delete('sandboxes', surplus);
    const template = this.#templateOf(namespace, sandboxTemplateRef?.name);
    if (template !== undefined) this.#fill(pool, template, replicas - own.length);
    const status = { replicas: Math.min(own.length, replicas), readyReplicas: own.filter(isReady).length };
    const { replicas: told, readyReplicas: toldReady } = pool.status ?? {};
    if (told !== status.replicas || toldReady !== status.readyReplicas)
      this.#store.change('sandboxwarmpools', pool, { status });
  }

  #fill(pool: StoredObject, template: PodTemplate, missing: number): void {
    const { name } = pool.metadata;
    const labels = { [poolLabel]: hash(name) };
    for (let made = 0; made < missing; made += 1)
      this.#make({ name: `${name}-${randomBytes(4).toString('hex')}`, owner: pool, template, labels });
  }

  #claim(claim: StoredObject): void {
    const { namespace, name } = claim.metadata;
    const lifecycle = (claim.spec?.['lifecycle'] ?? {}) as Lifecycle;
    const bound = this.#boundTo(claim);
    if (this.#isExpired('sandboxclaims', claim, lifecycle)) return this.#expire(claim, lifecycle, bound);
    if (bound !== undefined) {
      const condition = isReady(bound) ? yes('DependenciesReady') : not('SandboxNotReady');
      return this.#report('sandboxclaims', claim, { condition, sandbox: bound.metadata.name });
    }
    const { template: named, warmpool } = this.#wanted(claim);
    const template = this.#templateOf(namespace, named);
    const warm = warmpool === 'none' ? undefined : this.#candidate(namespace, named, warmpool);
    if (warm !== undefined) this.#adopt(warm, claim);
    else if (template === undefined) this.#report('sandboxclaims', claim, { condition: not('TemplateNotFound') });
    else this.#make({ name, owner: claim, template, labels: {} });
  }

  /** A claim of v1beta1 names a pool, and that one its template. */
  #wanted({ metadata: { namespace }, spec }: StoredObject): { readonly template: string; readonly warmpool: string } {
    const {
      sandboxTemplateRef,
      warmPoolRef,
      warmpool = 'default',
    } = spec as {
      readonly sandboxTemplateRef?: { readonly name: string };
      readonly warmPoolRef?: { readonly name: string };
      readonly warmpool?: string;
    };
    if (warmPoolRef === undefined) return { template: sandboxTemplateRef?.name ?? '', warmpool };
    const pool = this.#store.get('sandboxwarmpools', namespace, warmPoolRef.name);
    const ref = pool?.spec?.['sandboxTemplateRef'] as { readonly name?: string } | undefined;
    return { template: ref?.name ?? '', warmpool: warmPoolRef.name };
  }

  /** Ready ones first, then the oldest. */
  #candidate(namespace: string, template: string, warmpool: string): StoredObject | undefined {
    const pools = this.#store.list('sandboxwarmpools', namespace).filter(({ metadata, spec }) => {
      const ref = spec?.['sandboxTemplateRef'] as { readonly name?: string } | undefined;
      return ref?.name === template && (warmpool === 'default' || metadata.name === warmpool);
    });
    const waiting = pools.flatMap(({ metadata }) =>
      this.#store.list('sandboxes', namespace, `${poolLabel}=${hash(metadata.name)}`),
    );
    return waiting.find(isReady) ?? waiting[0];
  }

  #adopt(sandbox: StoredObject, claim: StoredObject): void {
    const { [poolLabel]: _, ...labels } = sandbox.metadata.labels ?? {};
    const { name } = sandbox.metadata;
    this.#store.change('sandboxes', sandbox, {
      metadata: {
        ...sandbox.metadata,
        labels: { ...labels, [claimLabel]: claim.metadata.uid },
        annotations: { ...sandbox.metadata.annotations, [podName]: name },
        ownerReferences: [ownerOf(claim)],
      },
    });
    this.#report('sandboxclaims', claim, { condition: not('SandboxNotReady'), sandbox: name });
  }

  #make({ name, owner, template, labels }: Making): void {
    if (this.#store.get('sandboxes', owner.metadata.namespace, name) !== undefined)
      return this.#report(pluralOf(owner.kind), owner, { condition: not('ReconcilerError') });
    this.#store.create('sandboxes', owner.metadata.namespace, {
      apiVersion: core,
      kind: 'Sandbox',
      metadata: { name, labels, ownerReferences: [ownerOf(owner)] },
      spec: { podTemplate: template, replicas: 1 },
    } as unknown as StoredObject);
  }

  #expire(claim: StoredObject, { shutdownPolicy = 'Retain' }: Lifecycle, bound: StoredObject | undefined): void {
    this.#report('sandboxclaims', claim, { condition: not('ClaimExpired') });
    if (shutdownPolicy === 'Retain') {
      if (bound !== undefined) this.delete('sandboxes', bound);
      return;
    }
    if (shutdownPolicy === 'Delete' || bound === undefined) return this.delete('sandboxclaims', claim);
    const pod = this.#store.get('pods', bound.metadata.namespace, bound.metadata.name);
    const deletionTimestamp = new Date().toISOString();
    for (const [plural, { metadata }] of [
      ['sandboxclaims', claim],
      ['sandboxes', bound],
    ] as const) {
      const now = this.#store.get(plural, metadata.namespace, metadata.name);
      if (now !== undefined) this.#store.change(plural, now, { metadata: { ...now.metadata, deletionTimestamp } });
    }
    if (pod === undefined) return this.#store.remove('sandboxclaims', claim);
    this.delete('pods', pod);
    this.#awaitEnd(pod, claim);
  }

  /** In a foreground deletion, the claim stays until its pod is gone. */
  #awaitEnd(pod: StoredObject, claim: StoredObject): void {
    const { namespace, name, uid } = pod.metadata;
    if (this.#isOver) return;
    if (this.#store.get('pods', namespace, name)?.metadata.uid === uid)
      return void setTimeout(() => this.#awaitEnd(pod, claim), 10).unref();
    this.#store.remove('sandboxclaims', claim);
  }

  #boundTo({ metadata: { namespace, name, uid }, status }: StoredObject): StoredObject | undefined {
    const named = (status?.['sandbox'] as { readonly name?: string } | undefined)?.name ?? name;
    const sandbox = this.#store.get('sandboxes', namespace, named);
    return sandbox?.metadata.ownerReferences?.some((owner) => owner.uid === uid) === true ? sandbox : undefined;
  }

  #templateOf(namespace: string, name = ''): PodTemplate | undefined {
    return this.#store.get('sandboxtemplates', namespace, name)?.spec?.['podTemplate'] as PodTemplate | undefined;
  }

  #isExpired(plural: string, object: StoredObject, { shutdownTime }: Lifecycle): boolean {
    if (shutdownTime === undefined) return false;
    const left = Date.parse(shutdownTime) - Date.now() - this.clockAhead;
    if (left > 0) this.#after(plural, object, left);
    return left <= 0;
  }

  #after(plural: string, { metadata: { namespace, name } }: StoredObject, wait: number): void {
    const at = `${plural}/${namespace}/${name}`;
    clearTimeout(this.#timers.get(at));
    this.#timers.set(at, setTimeout(() => this.#soon(at), Math.min(wait + 1, 2 ** 31 - 1)).unref());
  }

  /** Skips an unchanged status, because each change is an event. */
  #report(plural: string, object: StoredObject, { condition, sandbox }: Report): void {
    const status = { conditions: [condition], ...(sandbox === undefined ? {} : { sandbox: { name: sandbox } }) };
    const now = this.#store.get(plural, object.metadata.namespace, object.metadata.name);
    if (now !== undefined && JSON.stringify(now.status) !== JSON.stringify(status))
      this.#store.change(plural, now, { status });
  }
}

interface Making {
  readonly name: string;
  readonly owner: StoredObject;
  readonly template: PodTemplate;
  readonly labels: Readonly<Record<string, string>>;
}
interface Report {
  readonly condition: Condition;
  readonly sandbox?: string;
}

const yes = (reason: string): Condition => ({ type: 'Ready', status: 'True', reason });
const not = (reason: string): Condition => ({ type: 'Ready', status: 'False', reason });

function isReady({ status }: StoredObject): boolean {
  return (status?.['conditions'] as readonly Condition[] | undefined)?.[0]?.status === 'True';
}

function ownerOf({ apiVersion = '', kind = '', metadata: { name, uid } }: StoredObject): OwnerReference {
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

function pluralOf(kind = ''): string {
  return kind === 'Sandbox' ? 'sandboxes' : `${kind.toLowerCase()}s`;
}

/** FNV-1a of 32 bits. */
function hash(name: string): string {
  let value = 0x811c9dc5;
  for (const byte of Buffer.from(name)) value = Math.imul(value ^ byte, 0x01000193) >>> 0;
  return value.toString(16).padStart(8, '0');
}
