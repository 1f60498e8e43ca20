import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { createEgress } from '../egress/egress.ts';
import { decideUrl } from '../egress/ssrf/decide-url.ts';
import { parseContentType } from '../egress/fetch/body/present.ts';
import { hostRoots } from '../egress/tls/host-trust.ts';
import type { Authority } from '../egress/types.ts';
import type { Verdict } from '../policy/verdict.ts';
import { mostBundleBytes } from './bundle-fields.ts';
import { failedBundle } from './types.ts';

export interface Download {
  readonly url: string;
  /** The host's environment, which names proxies and further authorities. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** PEM of further authorities. */
  readonly authorities: readonly string[];
  /** Milliseconds for the whole download. Default: 30,000. */
  readonly timeout?: number;
}

export interface Downloaded {
  readonly bytes: Uint8Array;
  /** The URL without its query, because the query may contain a token. */
  readonly source: string;
}

/**
 * Downloads a bundle over HTTPS, redirects included. Limits its size and its time. Throws `HF_BUNDLE_FAILED`. The bytes
 * are not verified yet.
 */
export async function downloadBundle({
  url,
  environment,
  authorities,
  timeout = 30_000,
}: Download): Promise<Downloaded> {
  const source = sourceOf(url);
  const egress = createEgress({
    authority: onlyHttps,
    roots: () => [...hostRoots(environment), ...authorities],
    environment,
    trusted: 'untrusted',
  });
  try {
    const result = await egress.fetcher(unrecorded)(url, {
      headers: { accept: `${[...acceptedTypes].filter((type) => type !== '').join(', ')}` },
      maxBytes: mostBundleBytes,
      timeout,
      binary: 'bytes',
      html: 'source',
      hidden: 'keep',
    });
    if (result.kind === 'refused') throw failedBundle(`${source}: ${result.refusal.message}`, result.refusal.remedy);
    if (result.status !== 200) throw failedBundle(`${source} answered ${result.status}`, checkUrl);
    if (result.truncated)
      throw failedBundle(`${source} sent more than ${mostBundleBytes >> 20} MiB, and no bundle is that long`, checkUrl);
    const { essence } = parseContentType(result.contentType);
    if (!isAccepted(essence)) throw failedBundle(`${source} sent ${essence}, and a bundle is JSON`, checkUrl);
    return { bytes: result.kind === 'bytes' ? result.bytes : Buffer.from(result.text), source };
  } finally {
    egress.close();
  }
}

const checkUrl = 'check that the URL is that of the bundle, and needs no login';

/** Media types that servers send for a JSON file with any name. */
const acceptedTypes: ReadonlySet<string> = new Set([
  'application/json',
  'application/octet-stream',
  'binary/octet-stream',
  'text/plain',
  '',
]);

function isAccepted(essence: string): boolean {
  return acceptedTypes.has(essence) || essence.endsWith('+json');
}

function sourceOf(url: string): string {
  const decided = decideUrl(url);
  if (decided.kind === 'refused') throw failedBundle(decided.refusal.message, decided.refusal.remedy);
  if (decided.scheme !== 'https')
    throw failedBundle('a bundle comes over HTTPS only', 'write https://, or name a file of this machine');
  return `${decided.url.origin}${decided.url.pathname}`;
}

/** The administrator names the URL, so any address is allowed. A redirect to plain HTTP is not. */
const onlyHttps: Authority = {
  decide: (request) => verdictOf(request.kind !== 'http' || request.scheme === 'https' ? 'allow' : 'deny'),
  decideAddress: () => verdictOf('allow'),
  tlsTreatment: () => 'splice',
};

function verdictOf(decision: 'allow' | 'deny'): Verdict {
  return {
    decision,
    code: decision === 'allow' ? 'granted' : 'rule',
    rule: 'central-policy',
    layer: 'managed',
    file: 'built-in',
    line: 0,
    message: 'a bundle comes over HTTPS only',
    remedy: 'write https://',
  };
}

const nothing = (): void => undefined;
/** A fetch by an administrator is not traffic of a box. */
const unrecorded = {
  record: nothing,
  recordRequest: nothing,
  recordStatement: nothing,
  recordLookup: nothing,
  refused: nothing,
};

/** Reads a bundle from a file. Does not wait for a FIFO. */
export function readBundleFile(path: string): Downloaded {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch (cause) {
    throw failedBundle(
      `${path} cannot be read: ${(cause as NodeJS.ErrnoException).code ?? 'an unknown error'}`,
      'name a file, or an https:// URL',
      cause,
    );
  }
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile() || stats.size > mostBundleBytes)
      throw failedBundle(`${path} is not a file of at most ${mostBundleBytes >> 20} MiB`, 'name the file of a bundle');
    return { bytes: readFileSync(fd), source: path };
  } finally {
    closeSync(fd);
  }
}
