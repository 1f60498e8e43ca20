import { describe, expect, test } from 'vitest';
import { type OutgoingRequest, textBody, valuesOf } from '../../egress/index.ts';
import type { Credential } from '../../policy/index.ts';
import { judge } from './judge.ts';
import { findPhantoms } from './find-phantoms.ts';
import { placedCredentials } from './placed-credentials.ts';
import { putIn } from './put-in.ts';
import { partsOf } from './request-parts.ts';
import { credentialOf, secretOf, testContext, type TestContext, type TestContextOptions } from './testing/context.ts';
import { connection, requestOf } from './testing/requests.ts';

async function put(context: TestContext, asked: OutgoingRequest): ReturnType<typeof putIn> {
  const judgement = judge({ request: asked, connection, here: placedCredentials(context, connection), seen: findPhantoms(partsOf(asked, undefined), context.registry) });
  if (judgement.kind === 'refused') throw new Error(judgement.refusal.message);
  return putIn(asked, judgement.uses, { context, connection, content: 'streamed' });
}

const bearer = credentialOf({ injection: { kind: 'bearer' } });
const sent = (context: TestContext, name?: string): OutgoingRequest => requestOf({ headers: [['Authorization', `Bearer ${context.phantom(name)}`], ['Accept', '*/*']] });

test('the secret is read when it is first needed, and its use is told', async () => {
  const context = testContext({ credentials: [bearer] });
  expect(await put(context, requestOf())).toMatchObject({ fields: [] });
  expect([context.reads, context.uses]).toEqual([[], []]);
  const outgoing = (await put(context, sent(context))) as OutgoingRequest;
  expect(outgoing.fields.map(({ name, value }) => `${name}: ${value}`)).toEqual(['Accept: */*', `Authorization: Bearer ${secretOf('main')}`]);
  expect([context.reads, context.uses]).toEqual([['main'], [{ credential: 'main', destination: connection.destination }]]);
});

test('a secret that cannot be read refuses in the words of its source', async () => {
  const context = testContext({ credentials: [bearer], secrets: { main: { kind: 'unavailable', message: 'The variable MAIN_EXAMPLE is not set.', remedy: 'Set it.' } } });
  expect(await put(context, sent(context))).toEqual({ kind: 'refused', refusal: { code: 'credential-unavailable', message: 'The variable MAIN_EXAMPLE is not set.', remedy: 'Set it.' } });
  expect(context.uses).toEqual([]);
});

describe('a secret that would not stay in its place is not sent', () => {
  const hostile = ['a\r\nX-Injected: 1', 'a\nb', 'a\rb', 'a\0b', 'a\u010ab', 'a\u0100b', 'a\u{1f600}b', 'a\u007fb', 'a\u001bb'];
  const kinds: readonly (readonly [string, Credential['injection'], (phantom: string) => OutgoingRequest])[] = [
    ['bearer', { kind: 'bearer' }, (phantom) => requestOf({ headers: [['Authorization', `Bearer ${phantom}`]] })],
    ['header', { kind: 'header', name: 'X-Key' }, (phantom) => requestOf({ headers: [['X-Key', phantom]] })],
    ['cookie', { kind: 'cookie', name: 'c' }, (phantom) => requestOf({ headers: [['Cookie', `c=${phantom}`]] })],
  ];

  test.each(kinds.flatMap(([kind, injection, make]) => hostile.map((value) => ({ kind, value, injection, make }))))('$kind: $value', async ({ injection, make, value }) => {
    const options: TestContextOptions = { credentials: [credentialOf({ injection })], secrets: { main: { kind: 'secret', secret: { value, fields: {} } } } };
    const context = testContext(options);
    const outcome = await put(context, make(context.phantom()));
    expect(outcome).toMatchObject({ kind: 'refused', refusal: { code: 'credential-unavailable' } });
    expect(JSON.stringify(outcome)).not.toContain('Injected');
    expect(context.uses).toEqual([]);
  });

  test.each([['query', { kind: 'query', parameter: 'key' }, '/?key='], ['path', { kind: 'path' }, '/p/']] satisfies readonly (readonly [string, Credential['injection'], string])[])('%s escapes it', async (kind, injection, before) => {
    for (const value of hostile) {
      const context = testContext({ credentials: [credentialOf({ injection })], secrets: { main: { kind: 'secret', secret: { value, fields: {} } } } });
      expect(((await put(context, requestOf({ target: `${before}${context.phantom()}` }))) as OutgoingRequest).target).toBe(`${before}${encodeURIComponent(value).replaceAll(kind === 'path' ? '%3A' : '\0', ':')}`);
    }
  });
});

test('client copies of what is put in are gone, whoever wrote them', async () => {
  const context = testContext({ credentials: [credentialOf({ injection: { kind: 'bearer' }, use: 'always' })] });
  const outgoing = (await put(context, requestOf({ headers: [['Authorization', 'a'], ['AUTHORIZATION', 'b'], ['x-api-key', 'c'], ['X-Other', 'd']] }))) as OutgoingRequest;
  expect(outgoing.fields.map(({ name, value }) => `${name}: ${value}`)).toEqual(['X-Other: d', `Authorization: Bearer ${secretOf('main')}`]);
});

test('several secrets are put in beside one another', async () => {
  const context = testContext({ credentials: [credentialOf({ name: 'key', injection: { kind: 'header', name: 'X-Key' } }), credentialOf({ name: 'token', injection: { kind: 'bearer' } })] });
  const outgoing = (await put(context, requestOf({ headers: [['Authorization', `Bearer ${context.phantom('token')}`], ['X-Key', context.phantom('key')]] }))) as OutgoingRequest;
  expect([valuesOf(outgoing.fields, 'authorization'), valuesOf(outgoing.fields, 'x-key')]).toEqual([[`Bearer ${secretOf('token')}`], [secretOf('key')]]);
  expect(context.uses.map(({ credential }) => credential)).toEqual(['key', 'token']);
});

test('a phantom that nobody replaced does not go out', async () => {
  const context = testContext({ credentials: [credentialOf({ injection: { kind: 'path' } })] });
  const outcome = await put(context, requestOf({ target: `/${Buffer.from(context.phantom()).toString('hex')}` }));
  expect(outcome).toMatchObject({ kind: 'refused', refusal: { code: 'credential-unavailable', message: expect.stringContaining('cannot be replaced') } });
  expect(context.uses).toEqual([]);
});

test('a body that is a stream is not read', async () => {
  const context = testContext({ credentials: [bearer] });
  const body = textBody('content');
  expect(((await put(context, { ...sent(context), body })) as OutgoingRequest).body).toBe(body);
});
