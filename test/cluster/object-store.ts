import { randomUUID } from 'node:crypto';

export interface OwnerReference {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** An object as the tests' API server keeps it. */
export interface StoredObject {
  apiVersion?: string;
  kind?: string;
  metadata: {
    name: string;
    namespace: string;
    uid: string;
    resourceVersion: string;
    creationTimestamp: string;
    deletionTimestamp?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
    ownerReferences?: readonly OwnerReference[];
  };
  spec?: Record<string, unknown>;
  status?: Record<string, unknown>;
}

interface StoredEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly plural: string;
  readonly object: StoredObject;
  readonly version: number;
}

type Listener = (event: StoredEvent) => void;

/**
 * Objects with one resourceVersion for all, as etcd has it, and the events from which a watch can start. Kubernetes API
 * Concepts, "Efficient detection of changes" and "410 Gone responses".
 */
export class ObjectStore {
  readonly #objects = new Map<string, StoredObject>();
  readonly #listeners = new Set<Listener>();
  #events: StoredEvent[] = [];
  #version = 100;
  #forgotten = 0;
  /** Deletes objects whose owner is gone. */
  collector: (plural: string, object: StoredObject) => void = (plural, object) => this.remove(plural, object);

  get version(): number {
    return this.#version;
  }

  get(plural: string, namespace: string, name: string): StoredObject | undefined {
    return this.#objects.get(key(plural, namespace, name));
  }

  list(plural: string, namespace: string, selector = ''): readonly StoredObject[] {
    return [...this.#objects]
      .filter(([at, object]) => at.startsWith(`${plural}/${namespace}/`) && matches(object, selector))
      .map(([, object]) => object);
  }

  /** Names of every object, as `pods/agent`. */
  get names(): readonly string[] {
    return [...this.#objects.keys()].map((at) => at.replace(/\/[^/]+\//u, '/'));
  }

  create(plural: string, namespace: string, given: StoredObject): StoredObject {
    const object: StoredObject = {
      ...given,
      metadata: {
        ...given.metadata,
        namespace,
        uid: randomUUID(),
        creationTimestamp: new Date().toISOString(),
        resourceVersion: '',
      },
    };
    this.#put('ADDED', plural, object);
    return object;
  }

  change(plural: string, object: StoredObject, change: Partial<StoredObject>): StoredObject {
    const next = { ...object, ...change, metadata: { ...object.metadata, ...change.metadata } };
    this.#put('MODIFIED', plural, next);
    return next;
  }

  remove(plural: string, object: StoredObject): void {
    const { namespace, name, uid } = object.metadata;
    if (this.get(plural, namespace, name)?.metadata.uid !== uid) return;
    this.#put('DELETED', plural, object);
    this.#collect(uid);
  }

  /** Deletes the dependents of a removed object: "Garbage Collection", owners and dependents. */
  #collect(owner: string): void {
    for (const [at, object] of this.#objects)
      if (object.metadata.ownerReferences?.some(({ uid }) => uid === owner) === true)
        this.collector(at.slice(0, at.indexOf('/')), object);
  }

  #put(type: StoredEvent['type'], plural: string, object: StoredObject): void {
    this.#version += 1;
    object.metadata.resourceVersion = String(this.#version);
    const at = key(plural, object.metadata.namespace, object.metadata.name);
    if (type === 'DELETED') this.#objects.delete(at);
    else this.#objects.set(at, object);
    const event = { type, plural, object: structuredClone(object), version: this.#version };
    this.#events.push(event);
    for (const listener of this.#listeners) listener(event);
  }

  /** Compaction: earlier watches get 410. */
  forgetEvents(): void {
    this.#events = [];
    this.#forgotten = this.#version;
  }

  /** Calls back with every event after `version`. `forgotten` if some of them are gone. */
  follow(version: number, listener: Listener): 'forgotten' | (() => void) {
    if (version < this.#forgotten) return 'forgotten';
    for (const event of this.#events) if (event.version > version) listener(event);
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

function key(plural: string, namespace: string, name: string): string {
  return `${plural}/${namespace}/${name}`;
}

/** Supports equality alone, which the client uses. */
export function matches({ metadata: { labels = {} } }: StoredObject, selector: string): boolean {
  return selector
    .split(',')
    .filter((part) => part !== '')
    .every((part) => labels[part.slice(0, part.indexOf('='))] === part.slice(part.indexOf('=') + 1));
}
