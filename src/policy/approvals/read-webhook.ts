import type { InferOutput } from 'valibot';
import type { DeepReadonly } from '../document/policy-part.ts';
import { normaliseHost } from '../normalise/host.ts';
import { readSourceTable } from '../credentials/read-source.ts';
import { type Read, read, readParts, wrong } from '../credentials/read.ts';
import type { SecretSource } from '../credentials/types.ts';
import type { Roots } from '../patterns/resolve-path.ts';
import type { webhook } from './schema.ts';

type WebhookTable = DeepReadonly<InferOutput<typeof webhook>>;

/** A service that receives questions and may answer them. */
export interface Webhook {
  /** An `https:` URL, or `http:` of a loopback address. Has no user, password or fragment. */
  readonly url: string;
  readonly secret: SecretSource;
}

/** Parses a webhook table. Returns all problems if it is invalid. */
export function readWebhook({ url, secret }: WebhookTable, roots: Roots): Read<Webhook> {
  return readParts<Webhook>({ url: readUrl(url), secret: readSourceTable(secret, 'approvals.webhook.secret', roots) });
}

/** Messages do not repeat the text: URLs of webhooks may hold a secret. */
function readUrl(text: string): Read<string> {
  const at = 'approvals.webhook.url';
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    return wrong(
      at,
      'the webhook has no usable URL',
      'write an https URL, such as "https://approvals.example.com/holdfast"',
    );
  if (url.username !== '' || url.password !== '')
    return wrong(
      at,
      'the URL of the webhook holds a password',
      'take it out: requests are signed with approvals.webhook.secret',
    );
  if (url.hash !== '') return wrong(at, 'the URL of the webhook has a fragment, which is never sent', 'leave it out');
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    return wrong(
      at,
      'the webhook would be called without encryption',
      'write an https URL; http is for this machine alone: "http://127.0.0.1:8080/"',
    );
  return read(url.href);
}

/** Only addresses are certain to be loopback, because a resolver decides where a name leads. */
function isLoopback(host: string): boolean {
  const normal = normaliseHost(host)?.text ?? '';
  return normal === '::1' || /^127\.\d+\.\d+\.\d+$/u.test(normal);
}
