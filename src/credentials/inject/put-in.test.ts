import { HeldContents } from '../../egress/http/held-content.ts';
import { describe, expect, test } from 'vitest';
import { bodyFrom, textBody } from '../../egress/http/interceptor.ts';
import { type Body, type OutgoingRequest, field, valuesOf } from '../../egress/http/message.ts';
import type { Credential } from '../../policy/credentials/types.ts';
import { judgeInjection } from './judge.ts';
import { placedCredentials } from './placed-credentials.ts';
import { putIn, wholeBody } from './put-in.ts';
import { findPhantoms, partsOf } from './request-parts.ts';
import { credentialOf, secretOf, testContext, type TestContext, type TestContextOptions } from './testing/context.ts';
import { connection, requestOf } from './testing/requests.ts';

async function put(context: TestContext, asked: OutgoingRequest): ReturnType<typeof putIn> {
  const judgement = judgeInjection({
    request: asked,
    connection,
    here: placedCredentials(context, connection),
    seen: findPhantoms(partsOf(asked, undefined), context.registry),
  });
  if (judgement.kind === 'refused') throw new Error(judgement.refusal.message);
  return putIn(asked, judgement.uses, { context, connection, content: 'streamed', held: new HeldContents().open() });
}

const bearer = credentialOf({ injection: { kind: 'bearer' } });
const sent = (context: TestContext, name?: string): OutgoingRequest =>
  requestOf({
    headers: [
      ['Authorization', `Bearer ${context.phantom(name)}`],
      ['Accept', '*/*'],
    ],
  });

test('the secret is read on first need, and its use is reported', async () => {
  const context = testContext({ credentials: [bearer] });
  expect(await put(context, requestOf())).toMatchObject({ fields: [] });
  expect([context.reads, context.uses]).toEqual([[], []]);
  const outgoing = (await put(context, sent(context))) as OutgoingRequest;
  expect(outgoing.fields.map(({ name, value }) => `${name}: ${value}`)).toEqual([
    'Accept: */*',
    `Authorization: Bearer ${secretOf('main')}`,
  ]);
  expect([context.reads, context.uses]).toEqual([
    ['main'],
    [{ credential: 'main', destination: connection.destination }],
  ]);
});

test('a secret that cannot be read refuses in the words of its source', async () => {
  const context = testContext({
    credentials: [bearer],
    secrets: { main: { kind: 'unavailable', message: 'The variable MAIN_EXAMPLE is not set.', remedy: 'Set it.' } },
  });
  expect(await put(context, sent(context))).toEqual({
    kind: 'refused',
    refusal: { code: 'credential-unavailable', message: 'The variable MAIN_EXAMPLE is not set.', remedy: 'Set it.' },
  });
  expect(context.uses).toEqual([]);
});

describe('a secret that would not stay in its place is not sent', () => {
  const hostile = [
    'a\r\nX-Injected: 1',
    'a\nb',
    'a\rb',
    'a\0b',
    'a\u010ab',
    'a\u0100b',
    'a\u{1f600}b',
    'a\u007fb',
    'a\u001bb',
  ];
  const kinds: readonly (readonly [string, Credential['injection'], (phantom: string) => OutgoingRequest])[] = [
    ['bearer', { kind: 'bearer' }, (phantom) => requestOf({ headers: [['Authorization', `Bearer ${phantom}`]] })],
    ['header', { kind: 'header', name: 'X-Key' }, (phantom) => requestOf({ headers: [['X-Key', phantom]] })],
    ['cookie', { kind: 'cookie', name: 'c' }, (phantom) => requestOf({ headers: [['Cookie', `c=${phantom}`]] })],
  ];

  test.each(kinds.flatMap(([kind, injection, make]) => hostile.map((value) => ({ kind, value, injection, make }))))(
    '$kind: $value',
    async ({ injection, make, value }) => {
      const options: TestContextOptions = {
        credentials: [credentialOf({ injection })],
        secrets: { main: { kind: 'secret', secret: { value, fields: {} } } },
      };
      const context = testContext(options);
      const outcome = await put(context, make(context.phantom()));
      expect(outcome).toMatchObject({ kind: 'refused', refusal: { code: 'credential-unavailable' } });
      expect(JSON.stringify(outcome)).not.toContain('Injected');
      expect(context.uses).toEqual([]);
    },
  );

  test.each([
    ['query', { kind: 'query', parameter: 'key' }, '/?key='],
    ['path', { kind: 'path' }, '/p/'],
  ] satisfies readonly (readonly [string, Credential['injection'], string])[])(
    '%s escapes it',
    async (kind, injection, before) => {
      for (const value of hostile) {
        const context = testContext({
          credentials: [credentialOf({ injection })],
          secrets: { main: { kind: 'secret', secret: { value, fields: {} } } },
        });
        expect(
          ((await put(context, requestOf({ target: `${before}${context.phantom()}` }))) as OutgoingRequest).target,
        ).toBe(`${before}${encodeURIComponent(value).replaceAll(kind === 'path' ? '%3A' : '\0', ':')}`);
      }
    },
  );
});

test('a client’s own copies of the inserted header are removed', async () => {
  const context = testContext({ credentials: [credentialOf({ injection: { kind: 'bearer' }, use: 'always' })] });
  const outgoing = (await put(
    context,
    requestOf({
      headers: [
        ['Authorization', 'a'],
        ['AUTHORIZATION', 'b'],
        ['x-api-key', 'c'],
        ['X-Other', 'd'],
      ],
    }),
  )) as OutgoingRequest;
  expect(outgoing.fields.map(({ name, value }) => `${name}: ${value}`)).toEqual([
    'X-Other: d',
    `Authorization: Bearer ${secretOf('main')}`,
  ]);
});

test('several secrets are put in beside one another', async () => {
  const context = testContext({
    credentials: [
      credentialOf({ name: 'key', injection: { kind: 'header', name: 'X-Key' } }),
      credentialOf({ name: 'token', injection: { kind: 'bearer' } }),
    ],
  });
  const outgoing = (await put(
    context,
    requestOf({
      headers: [
        ['Authorization', `Bearer ${context.phantom('token')}`],
        ['X-Key', context.phantom('key')],
      ],
    }),
  )) as OutgoingRequest;
  expect([valuesOf(outgoing.fields, 'authorization'), valuesOf(outgoing.fields, 'x-key')]).toEqual([
    [`Bearer ${secretOf('token')}`],
    [secretOf('key')],
  ]);
  expect(context.uses.map(({ credential }) => credential)).toEqual(['key', 'token']);
});

test('a phantom that was not replaced does not go out', async () => {
  const context = testContext({ credentials: [credentialOf({ injection: { kind: 'path' } })] });
  const outcome = await put(context, requestOf({ target: `/${Buffer.from(context.phantom()).toString('hex')}` }));
  expect(outcome).toMatchObject({
    kind: 'refused',
    refusal: { code: 'credential-unavailable', message: expect.stringContaining('cannot be replaced') },
  });
  expect(context.uses).toEqual([]);
});

test('a body that is a stream is not read', async () => {
  const context = testContext({ credentials: [bearer] });
  const body = textBody('content');
  expect(((await put(context, { ...sent(context), body })) as OutgoingRequest).body).toBe(body);
});

async function* chunked(chunks: readonly string[]): AsyncGenerator<Buffer, void> {
  for (const chunk of chunks) yield Buffer.from(chunk);
}

async function textOf(body: Body | undefined): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of body ?? chunked([])) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const form = 'application/x-www-form-urlencoded';

describe('content is read as a whole', () => {
  test.each([
    form,
    `${form}; charset=utf-8`,
    'application/json',
    'Application/JSON;charset=utf-8',
    'application/vnd.api+json',
  ])('if its type is %s', async (type) => {
    const body = bodyFrom(chunked(['grant', '_type=x']), { trailers: () => [field('X', '1')] });
    const { request, bytes } = await wholeBody(requestOf({ method: 'POST', headers: [['Content-Type', type]], body }));
    expect(String(bytes)).toBe('grant_type=x');
    expect(request.body?.length).toBe(12);
    expect([await textOf(request.body), await textOf(request.body)]).toEqual(['grant_type=x', 'grant_type=x']);
    expect(request.body?.trailers()).toEqual([field('X', '1')]);
  });

  test('also where it is empty', async () => {
    const { request, bytes } = await wholeBody(
      requestOf({ headers: [['Content-Type', form]], body: bodyFrom(chunked([]), { length: 0 }) }),
    );
    expect([bytes?.length, await textOf(request.body)]).toEqual([0, '']);
  });
});

describe('content stays a stream', () => {
  test.each([
    ['of another type', [['Content-Type', 'application/octet-stream']]],
    ['of a type that only begins so', [['Content-Type', 'application/jsonl']]],
    ['without a type', []],
    [
      'that is coded',
      [
        ['Content-Type', form],
        ['Content-Encoding', 'gzip'],
      ],
    ],
  ] satisfies readonly (readonly [string, readonly (readonly [string, string])[]])[])('%s', async (_, headers) => {
    const body = bodyFrom(chunked(['a']), { length: 1 });
    expect(await wholeBody(requestOf({ headers, body }))).toEqual({ request: expect.objectContaining({ body }) });
  });

  test('that says that it is long is not touched', async () => {
    const body = bodyFrom(chunked(['a']), { length: 65_537 });
    expect((await wholeBody(requestOf({ headers: [['Content-Type', form]], body }))).request.body).toBe(body);
  });

  test('that is found to be long goes on from its beginning', async () => {
    const chunks = Array.from({ length: 100 }, (_, index) => String(index % 10).repeat(1000));
    const { request, bytes } = await wholeBody(
      requestOf({
        headers: [['Content-Type', form]],
        body: bodyFrom(chunked(chunks), { trailers: () => [field('X', '1')] }),
      }),
    );
    expect(bytes).toBeUndefined();
    expect(await textOf(request.body)).toBe(chunks.join(''));
    expect(request.body?.trailers()).toEqual([field('X', '1')]);
  });

  test('or is missing', async () => {
    const request = requestOf({ headers: [['Content-Type', form]] });
    expect(await wholeBody(request)).toEqual({ request });
  });
});

test('content that breaks off is an error', async () => {
  async function* broken(): AsyncGenerator<Buffer, void> {
    yield Buffer.from('a');
    throw new Error('The content broke off.');
  }
  await expect(wholeBody(requestOf({ headers: [['Content-Type', form]], body: bodyFrom(broken()) }))).rejects.toThrow(
    'broke off',
  );
});
