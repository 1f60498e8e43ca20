import { HoldfastError } from '../errors/index.ts';
import { looksSecret } from '../policy/settings/secret-shapes.ts';
import type { PodCredential, ClusterRequest, SecretReference } from './types.ts';

/** RFC 1123, shortened by the suffixes that some objects add to the name. */
const label = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/u;
const longestName = 50;
const longestNamespace = 63;
const image = /^[a-z0-9][a-zA-Z0-9._:/@-]{0,254}$/u;
/** Characters that reviewers cannot see. Line ends and tabs are visible. */
const unseen = /[^\P{C}\n\t]|[\p{Zl}\p{Zp}]/u;
/** An API server accepts objects of at most 1.5 MB, and a kernel words of at most 128 KiB. */
const mostOfCommand = 1 << 17;
const mostOfPolicies = 1 << 19;
const mostOfPool = 10_000;

/** Throws `HF_USAGE` for text that a manifest cannot hold, or a reviewer could not see. */
export function checkWords(request: ClusterRequest): void {
  const { name, namespace, runtimeClass, pool, plan, policies, options, secrets, credentials } = request;
  checkLabel('name', name, longestName);
  checkLabel('namespace', namespace, longestNamespace);
  if (runtimeClass !== undefined) checkLabel('runtime class', runtimeClass, longestNamespace);
  if (!image.test(request.image)) throw usage('this is no name of an image', request.image, 'use --image NAME:TAG');
  if (pool !== undefined) checkPoolName(pool);
  if (request.kind === 'pod' && pool !== undefined)
    throw usage('a pod is of no pool', request.kind, 'leave --kind out');
  for (const reference of secrets) checkReference(reference, credentials);
  checkSize('the command', plan.command.argv, mostOfCommand);
  const texts = policies.map(({ text }) => text);
  checkSize('the policy', texts, mostOfPolicies);
  const variables = Object.entries(plan.command.environment).flat();
  for (const text of [...plan.command.argv, ...options, ...variables, ...texts, request.home, request.workspace])
    checkSeen(text);
  for (const text of [...plan.command.argv, ...options, ...texts]) checkSecret(text);
}

/** Names of objects by RFC 1123, and keys of a `Secret` as the API takes them. */
const secretName = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/u;
const secretKey = /^[-._a-zA-Z0-9]{1,253}$/u;

function checkReference({ credential, secret, key }: SecretReference, credentials: readonly PodCredential[]): void {
  if (!secretName.test(secret)) throw usage('this is no name of a Secret', secret, 'use --secret NAME=SECRET/KEY');
  if (!secretKey.test(key)) throw usage('this is no key of a Secret', key, 'use --secret NAME=SECRET/KEY');
  if (credentials.some(({ name }) => name === credential)) return;
  throw usage('the policy has no credential of this name', credential, 'see `holdfast policy show`');
}

/** Throws `HF_USAGE` for an impossible pool. */
export function checkPool(name: string, replicas: number): void {
  checkPoolName(name);
  if (Number.isInteger(replicas) && replicas > 0 && replicas <= mostOfPool) return;
  throw usage('this is no size of a pool', String(replicas), `use --size with a number from 1 to ${mostOfPool}`);
}

/** A claim means any pool by `default`, and no pool by `none`. */
function checkPoolName(name: string): void {
  checkLabel('name of a pool', name, longestName);
  if (name === 'default' || name === 'none')
    throw usage('this name of a pool has a meaning of its own', name, 'use another name');
}

function checkLabel(what: string, value: string, most: number): void {
  if (value.length <= most && label.test(value)) return;
  throw usage(
    `this cannot be a ${what} in Kubernetes`,
    value,
    `use lower-case letters, digits and hyphens, ${most} at most`,
  );
}

function checkSize(what: string, texts: readonly string[], most: number): void {
  const size = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (size <= most) return;
  throw new HoldfastError('HF_USAGE', `${what} has ${size} bytes, and a manifest may have ${most} of it`, {
    remedy: 'put it into a file of the image',
  });
}

function checkSeen(text: string): void {
  if (!unseen.test(text)) return;
  throw usage('this has characters that nobody sees', text, 'leave the invisible characters out');
}

/** The place of a phantom in a URL, as a policy writes it. */
const phantomPlace = /:\{phantom(?::\w+)?\}@/gu;

/** Checks each word separately, because secrets appear between quotes and equals signs. */
function checkSecret(text: string): void {
  const written = text.replaceAll(phantomPlace, '@');
  if (!written.split(/[\s"'=,;]+/u).some((word) => looksSecret(word))) return;
  throw new HoldfastError('HF_USAGE', 'the command or the policy contains a value that looks like a secret', {
    remedy: 'leave it out: a manifest is read by many',
  });
}

function usage(problem: string, value: string, remedy: string): HoldfastError {
  const shown = JSON.stringify(value.slice(0, 60)).replace(/[^\x20-\x7e]/gu, '?');
  return new HoldfastError('HF_USAGE', `${problem}: ${shown}`, { remedy });
}
