import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { HoldfastError } from '../../errors/index.ts';
import { listIn, kubeObjectIn, backoff, callFor } from './call.ts';
import { bodyOf, sendCall } from './send-call.ts';
import { connectionError, objectFields, objectIn, refusalError, kubeRefusal } from './failures.ts';
import type { KubeObject, KubeTarget } from './types.ts';

export interface Watched {
  /** Path of a collection. */
  readonly path: string;
  /** Of labels, as `a=b`, or the name of one object. */
  readonly selected: { readonly labels: string } | { readonly name: string };
  /** In the user's words: `list pods`. */
  readonly doing: string;
  /** Milliseconds until `HF_CLUSTER_FAILED`. Default: for ever. */
  readonly atMost?: number;
  /** The awaited state in the user's words, for the error of a late one. */
  readonly awaited: () => string;
}

/**
 * Follows a collection until `see` returns a result for its objects. After a lost connection, the watch continues at
 * its place. After 410 (forgotten), it starts with a new list. `see` gets each state at least once, and may get one
 * twice.
 */
export async function watchUntil<Value>(
  watched: Watched,
  target: KubeTarget,
  see: (objects: readonly KubeObject[]) => Value | undefined,
): Promise<Value> {
  const until = watched.atMost === undefined ? Infinity : Date.now() + watched.atMost;
  for (let failures = 0; ; ) {
    const list = listIn(await callFor({ method: 'GET', ...listing(watched) }, target));
    const state = new Map(list.items.map((item) => [item.metadata.name, item]));
    const follower = new Follower(state, list.metadata.resourceVersion, see);
    const first = follower.look();
    if (first !== undefined) return first;
    for (let goesOn = true; goesOn; ) {
      if (Date.now() > until) throw late(watched);
      const pass = await onePass(follower, { watched, target, until });
      if (pass.kind === 'found') return pass.value;
      if (pass.kind === 'moved') failures = 0;
      else await sleep(backoff(failures++), undefined, { signal: target.signal });
      if (failures > mostFailures) throw connectionError(pass.kind === 'cut' ? pass.cause : endless, watched, target);
      goesOn = pass.kind !== 'forgotten';
    }
  }
}

const mostFailures = 10;
/** Milliseconds. The shortest deadline in a request is a second. */
const shortest = 500;
const endless = new Error('its watches end as soon as they begin');

function listing({ path, selected, doing }: Watched) {
  const selector =
    'name' in selected
      ? (['fieldSelector', `metadata.name=${selected.name}`] as const)
      : (['labelSelector', selected.labels] as const);
  return { path, doing, query: [selector] } as const;
}

function late({ awaited, atMost = 0 }: Watched): HoldfastError {
  return new HoldfastError(
    'HF_CLUSTER_FAILED',
    `${awaited()} did not happen within ${Math.round(atMost / 1000)} seconds`,
    {
      remedy: 'see `kubectl describe` of the pod, or wait longer with --wait',
    },
  );
}

type Pass<Value> =
  | { readonly kind: 'found'; readonly value: Value }
  /** The connection ended in order, or brought something before it was cut. */
  | { readonly kind: 'moved' }
  | { readonly kind: 'cut'; readonly cause: unknown }
  | { readonly kind: 'forgotten' };

interface Passing {
  readonly watched: Watched;
  readonly target: KubeTarget;
  readonly until: number;
}

const eachPass = 30_000;

async function onePass<Value>(follower: Follower<Value>, { watched, target, until }: Passing): Promise<Pass<Value>> {
  const seconds = Math.max(1, Math.ceil(Math.min(eachPass, until - Date.now()) / 1000));
  const { query, ...call } = listing(watched);
  const before = follower.version;
  try {
    const answer = await sendCall(
      {
        method: 'GET',
        ...call,
        query: [
          ...query,
          ['watch', '1'],
          ['allowWatchBookmarks', 'true'],
          ['resourceVersion', follower.version],
          ['timeoutSeconds', String(seconds)],
        ],
      },
      // A server that neither sends nor ends is abandoned soon after its own deadline.
      {
        ...target,
        patience: { ...target.patience, answer: Math.min(seconds * 1000 + 5000, target.patience.answer + 5000) },
      },
    );
    return await readPass(answer, follower, { watched, target });
  } catch (cause) {
    target.signal.throwIfAborted();
    if (cause instanceof HoldfastError) throw cause;
    return follower.version === before ? { kind: 'cut', cause } : { kind: 'moved' };
  }
}

async function readPass<Value>(
  answer: IncomingMessage,
  follower: Follower<Value>,
  { watched, target }: Omit<Passing, 'until'>,
): Promise<Pass<Value>> {
  const { statusCode: status = 0 } = answer;
  if (status === 410) return { kind: 'forgotten' };
  if (status !== 200) {
    const refusal = kubeRefusal(status, await bodyOf(answer));
    if (status === 429 || status >= 500) return { kind: 'cut', cause: new Error(`it answered ${status}`) };
    throw refusalError(refusal, watched, target);
  }
  const began = Date.now();
  let events = 0;
  try {
    for await (const line of linesOf(answer)) {
      events += 1;
      const seen = follower.take(objectIn(line));
      if (seen !== undefined) return seen;
    }
    // A server that ends its watches at once would otherwise get requests without a pause.
    return events > 0 || Date.now() - began >= shortest ? { kind: 'moved' } : { kind: 'cut', cause: endless };
  } finally {
    answer.destroy();
  }
}

const longestLine = 8 << 20;

async function* linesOf(answer: IncomingMessage): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(0x0a); end >= 0; end = rest.indexOf(0x0a)) {
      yield rest.subarray(0, end).toString('utf8');
      rest = rest.subarray(end + 1);
    }
    if (rest.length > longestLine) throw new Error('an event is longer than 8 MiB');
  }
}

/** The collection after the events so far. */
class Follower<Value> {
  version: string;
  readonly #state: Map<string, KubeObject>;
  readonly #see: (objects: readonly KubeObject[]) => Value | undefined;

  constructor(
    state: Map<string, KubeObject>,
    version: string,
    see: (objects: readonly KubeObject[]) => Value | undefined,
  ) {
    this.#state = state;
    this.version = version;
    this.#see = see;
  }

  look(): Value | undefined {
    return this.#see([...this.#state.values()]);
  }

  /** Takes one event. An incomplete one, from a lost connection, does not count. */
  take({ type, object }: Readonly<Record<string, unknown>>): Pass<Value> | undefined {
    if (type === 'ERROR') return { kind: 'forgotten' };
    if (type === 'BOOKMARK') {
      this.#advance(objectFields(objectFields(object)['metadata']));
      return undefined;
    }
    if (type !== 'ADDED' && type !== 'MODIFIED' && type !== 'DELETED') return undefined;
    const item = kubeObjectIn(object);
    if (type === 'DELETED') this.#state.delete(item.metadata.name);
    else this.#state.set(item.metadata.name, item);
    this.#advance(item.metadata);
    const value = this.look();
    return value === undefined ? undefined : { kind: 'found', value };
  }

  #advance({ resourceVersion }: { readonly resourceVersion?: unknown }): void {
    if (typeof resourceVersion === 'string') this.version = resourceVersion;
  }
}
