import { describe, expect, test } from 'vitest';
import { type Body, bodyFrom, field } from '../../egress/index.ts';
import { requestOf } from './testing/requests.ts';
import { wholeBody } from './whole-body.ts';

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
  test.each([form, `${form}; charset=utf-8`, 'application/json', 'Application/JSON;charset=utf-8', 'application/vnd.api+json'])('of type %s', async (type) => {
    const body = bodyFrom(chunked(['grant', '_type=x']), { trailers: () => [field('X', '1')] });
    const { request, bytes } = await wholeBody(requestOf({ method: 'POST', headers: [['Content-Type', type]], body }));
    expect(String(bytes)).toBe('grant_type=x');
    expect(request.body?.length).toBe(12);
    expect([await textOf(request.body), await textOf(request.body)]).toEqual(['grant_type=x', 'grant_type=x']);
    expect(request.body?.trailers()).toEqual([field('X', '1')]);
  });

  test('also where it is empty', async () => {
    const { request, bytes } = await wholeBody(requestOf({ headers: [['Content-Type', form]], body: bodyFrom(chunked([]), { length: 0 }) }));
    expect([bytes?.length, await textOf(request.body)]).toEqual([0, '']);
  });
});

describe('content stays a stream', () => {
  test.each([
    ['of another type', [['Content-Type', 'application/octet-stream']]],
    ['of a type that only begins so', [['Content-Type', 'application/jsonl']]],
    ['without a type', []],
    ['that is coded', [['Content-Type', form], ['Content-Encoding', 'gzip']]],
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
    const { request, bytes } = await wholeBody(requestOf({ headers: [['Content-Type', form]], body: bodyFrom(chunked(chunks), { trailers: () => [field('X', '1')] }) }));
    expect(bytes).toBeUndefined();
    expect(await textOf(request.body)).toBe(chunks.join(''));
    expect(request.body?.trailers()).toEqual([field('X', '1')]);
  });

  test('or is none at all', async () => {
    const request = requestOf({ headers: [['Content-Type', form]] });
    expect(await wholeBody(request)).toEqual({ request });
  });
});

test('content that breaks off is an error', async () => {
  async function* broken(): AsyncGenerator<Buffer, void> {
    yield Buffer.from('a');
    throw new Error('The content broke off.');
  }
  await expect(wholeBody(requestOf({ headers: [['Content-Type', form]], body: bodyFrom(broken()) }))).rejects.toThrow('broke off');
});
