import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { HoldfastError } from '../../errors/index.ts';
import type { UserProof } from '../config/credential-headers.ts';
import { bodyOf, sendCall } from './send-call.ts';
import { connectionError, objectIn, refusalError, type KubeRefusal, kubeRefusal } from './failures.ts';
import type { KubeCall, KubeList, KubeObject, KubeTarget } from './types.ts';

/** `answered` has any status below 300. */
export type KubeAnswer =
  | { readonly kind: 'answered'; readonly body: string }
  | { readonly kind: 'refused'; readonly refusal: KubeRefusal };

/**
 * Sends a request until the API server has answered definitely. Tries again after 429, 5xx and lost connections. This
 * client names every object, so a second attempt makes no second object.
 */
export async function callOnce(call: KubeCall, target: KubeTarget): Promise<KubeAnswer> {
  const until = Date.now() + target.patience.tries;
  for (let tries = 0; ; tries += 1) {
    const outcome = await tryCall(call, target);
    if (outcome.kind === 'done') return outcome.answer;
    if (outcome.kind === 'denied' && tries === 0 && (await target.prover.forget(outcome.proof)) === 'may-differ')
      continue;
    const wait = outcome.wait ?? backoff(tries);
    if (outcome.kind === 'denied' || Date.now() + wait > until) return giveUp(outcome, call, target);
    await sleep(wait, undefined, { signal: target.signal });
  }
}

type Outcome =
  | { readonly kind: 'done'; readonly answer: KubeAnswer }
  | { readonly kind: 'denied'; readonly refusal: KubeRefusal; readonly proof: UserProof; readonly wait?: undefined }
  | { readonly kind: 'busy'; readonly refusal: KubeRefusal; readonly wait: number | undefined }
  | { readonly kind: 'cut'; readonly cause: unknown; readonly wait?: undefined };

async function tryCall(call: KubeCall, target: KubeTarget): Promise<Outcome> {
  try {
    const proof = await target.prover.prove();
    const answer = await sendCall(call, target, proof);
    target.clock.hear(answer.headers.date);
    const body = await bodyOf(answer);
    const { statusCode: status = 0 } = answer;
    if (status >= 200 && status < 300) return { kind: 'done', answer: { kind: 'answered', body } };
    const refusal = kubeRefusal(status, body);
    if (status === 401) return { kind: 'denied', refusal, proof };
    if (status === 429 || status >= 500) return { kind: 'busy', refusal, wait: retryAfter(answer) };
    return { kind: 'done', answer: { kind: 'refused', refusal } };
  } catch (cause) {
    target.signal.throwIfAborted();
    if (cause instanceof HoldfastError) throw cause;
    if (!isPassing(cause)) throw connectionError(cause, call, target);
    return { kind: 'cut', cause };
  }
}

/** Others do not change within a minute. */
const passing: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'ECONNREFUSED', 'EAI_AGAIN', 'ECONNABORTED']);

function isPassing(cause: unknown): boolean {
  return passing.has((cause as NodeJS.ErrnoException).code ?? '');
}

function giveUp(outcome: Exclude<Outcome, { readonly kind: 'done' }>, call: KubeCall, target: KubeTarget): KubeAnswer {
  switch (outcome.kind) {
    case 'denied':
    case 'busy':
      return { kind: 'refused', refusal: outcome.refusal };
    case 'cut':
      throw connectionError(outcome.cause, call, target);
  }
}

const longestWait = 20_000;

function retryAfter({ headers }: IncomingMessage): number | undefined {
  const seconds = Number(headers['retry-after'] ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds * 1000, longestWait) : undefined;
}

/** Milliseconds before the next attempt, random, so that many clients do not return at once. */
export function backoff(tries: number): number {
  return Math.min(longestWait, 100 * 2 ** tries) * (0.5 + Math.random() / 2);
}

/** Throws `HF_CLUSTER_REFUSED` for a refusal. */
export async function callFor(call: KubeCall, target: KubeTarget): Promise<Readonly<Record<string, unknown>>> {
  const answer = await callOnce(call, target);
  if (answer.kind === 'refused') throw refusalError(answer.refusal, call, target);
  return objectIn(answer.body);
}

/** Returns undefined if the API server lacks such an object, or such a kind. */
export async function callIfThere(
  call: KubeCall,
  target: KubeTarget,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const answer = await callOnce(call, target);
  if (answer.kind === 'answered') return objectIn(answer.body);
  if (answer.refusal.status === 404) return undefined;
  throw refusalError(answer.refusal, call, target);
}

/** Throws `HF_CLUSTER_FAILED` for an answer that is not a list of objects. */
export function listIn(value: Readonly<Record<string, unknown>>): KubeList {
  const { items, metadata } = value as { readonly items?: unknown; readonly metadata?: { resourceVersion?: unknown } };
  if (!Array.isArray(items) || !items.every(isKubeObject)) throw lied('a list');
  const version = metadata?.resourceVersion;
  return { items, metadata: { resourceVersion: typeof version === 'string' ? version : '' } };
}

/** Returns the versions of an API group. Throws `HF_CLUSTER_FAILED` for an answer that is not a group. */
export function groupVersionsIn({ versions }: Readonly<Record<string, unknown>>): readonly string[] {
  if (!Array.isArray(versions)) throw lied('an object of the API');
  return versions.flatMap((each: unknown) => {
    const version = (each as { readonly version?: unknown } | null)?.version;
    return typeof version === 'string' ? [version] : [];
  });
}

export function kubeObjectIn(value: unknown): KubeObject {
  if (isKubeObject(value)) return value;
  throw lied('an object');
}

function isKubeObject(value: unknown): value is KubeObject {
  const metadata = (value as { readonly metadata?: { readonly name?: unknown } } | null | undefined)?.metadata;
  return typeof metadata?.name === 'string';
}

function lied(what: string): HoldfastError {
  return new HoldfastError('HF_CLUSTER_FAILED', `the API server answered with something that is not ${what}`, {
    remedy: 'see whether the server of the kubeconfig is a Kubernetes API server',
  });
}
