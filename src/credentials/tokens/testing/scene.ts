import { generateKeyPairSync } from 'node:crypto';
import type { Injection } from '../../../policy/credentials/injection.ts';
import { credentialOf, testContext, type TestContext } from '../../inject/testing/context.ts';
import type { SecretRead, TokenStore, Unavailable } from '../../types.ts';
import type { TokenAnswer, TokenClient, TokenEvent, TokenRequest } from '../read-token-answer.ts';
import { createTokenStore } from '../token-store.ts';

export interface Asked extends TokenRequest {
  readonly url: string;
  /** The sent form. */
  readonly form: Readonly<Record<string, string>>;
}

export type Reply = Readonly<Record<string, unknown>> | TokenAnswer | Unavailable;

/** A client with these answers, in order. The last one repeats. Objects are JSON with status 200. */
export function scripted(replies: readonly Reply[]): TokenClient & { readonly asked: readonly Asked[] } {
  const asked: Asked[] = [];
  return {
    asked,
    async fetch(url, request) {
      asked.push({ ...request, url, form: Object.fromEntries(new URLSearchParams(request.body ?? '')) });
      const reply = replies[Math.min(asked.length, replies.length) - 1] ?? {};
      return 'kind' in reply ? (reply as TokenAnswer | Unavailable) : answer(200, reply);
    },
  };
}

export function answer(status: number, body: unknown): TokenAnswer {
  return { kind: 'answer', status, body: typeof body === 'string' ? body : JSON.stringify(body) };
}

export interface Scene {
  readonly asked: readonly Asked[];
  readonly tokens: TokenStore;
  readonly events: readonly TokenEvent[];
  readonly context: TestContext;
  /** The token, or the reason for its absence. */
  access(): Promise<string>;
  known(): readonly string[];
  /** Milliseconds. */
  pass(time: number): void;
}

/** A fixed moment, in milliseconds. */
export const start = Date.parse('2030-01-01T00:00:00Z');

/** One credential of that kind, whose token endpoint gives these answers. */
export function scene(injection: Injection, replies: readonly Reply[], secret?: SecretRead): Scene {
  const credential = credentialOf({ injection });
  const context = testContext({
    credentials: [credential],
    ...(secret === undefined ? {} : { secrets: { main: secret } }),
  });
  const client = scripted(replies);
  const events: TokenEvent[] = [];
  let now = start;
  const tokens = createTokenStore({
    registry: context.registry,
    secrets: context.secrets,
    client,
    now: () => now,
    onEvent: (event) => void events.push(event),
  });
  const access: Scene['access'] = async () => {
    const read = await tokens.access(credential);
    return read.kind === 'secret' ? read.secret.value : `! ${read.message} ${read.remedy}`;
  };
  return {
    asked: client.asked,
    tokens,
    events,
    context,
    access,
    known: () => context.secrets.known().map(({ text }) => text),
    pass: (time) => void (now += time),
  };
}

/** A signing key of the minimum accepted length. */
export function signingKey(): { readonly pem: string; readonly publicPem: string } {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  return { pem: privateKey, publicPem: publicKey };
}
