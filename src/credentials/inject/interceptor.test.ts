import { array, assert, asyncProperty, boolean, constantFrom, integer, record } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type InterceptedConnection, bodyFrom, textBody } from '../../egress/http/interceptor.ts';
import {
  type Body,
  type Fields,
  type IncomingResponse,
  type OutgoingRequest,
  field,
  fieldValue,
} from '../../egress/http/message.ts';
import type { Refused } from '../../egress/types.ts';
import type { Credential } from '../../policy/credentials/types.ts';
import { encodingsOf } from '../masking/encodings.ts';
import { credentialInterceptor } from './interceptor.ts';
import { credentialOf, secretOf, testContext, type TestContext, type TestContextOptions } from './testing/context.ts';
import { connection, requestOf } from './testing/requests.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const bearer = credentialOf({ injection: { kind: 'bearer' } });
const elsewhere: InterceptedConnection = { ...connection, destination: { host: 'other.test', port: 443 } };

interface Sent {
  readonly request: OutgoingRequest;
  readonly body: string;
}

interface Line {
  readonly context: TestContext;
  /** What went out, content and all. */
  readonly sent: Sent[];
  send(request: OutgoingRequest): Promise<IncomingResponse | Refused>;
}

interface LineOptions extends Partial<TestContextOptions> {
  readonly at?: InterceptedConnection;
  readonly answer?: (request: OutgoingRequest) => Partial<IncomingResponse>;
}

/**
 * One connection, with a destination that reads everything and answers. Content that breaks off is no answer, as in the
 * pipeline.
 */
function line({ at = connection, answer = () => ({}), ...options }: LineOptions = {}): Line {
  const context = testContext({ credentials: [bearer], ...options });
  const sent: Sent[] = [];
  const destination = async (request: OutgoingRequest): Promise<IncomingResponse | Refused> => {
    try {
      sent.push({ request, body: await textOf(request.body) });
    } catch {
      return { kind: 'refused', refusal: { code: 'upstream-protocol', message: 'It broke off.', remedy: 'None.' } };
    }
    return { kind: 'response', status: 200, reason: 'OK', fields: [], ...answer(request) };
  };
  return { context, sent, send: credentialInterceptor(context)(destination, at) };
}

async function textOf(body: Body | undefined): Promise<string> {
  const chunks: Buffer[] = [];
  if (body !== undefined) for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString('latin1');
}

function pieces(text: string, size: number, trailers: Fields = []): Body {
  async function* chunks(): AsyncGenerator<Buffer, void> {
    for (let at = 0; at < text.length; at += size) yield Buffer.from(text.slice(at, at + size), 'latin1');
  }
  return bodyFrom(chunks(), { trailers: () => trailers });
}

const authorised = (context: TestContext, parts: Partial<OutgoingRequest> = {}): OutgoingRequest =>
  requestOf({ headers: [['Authorization', `Bearer ${context.phantom()}`]], ...parts });
const codeOf = (answer: IncomingResponse | Refused): string =>
  answer.kind === 'refused' ? answer.refusal.code : String(answer.status);

describe('requests of one connection, one after the other', () => {
  test('are each judged by what holds then', async () => {
    const credentials: Credential[] = [bearer];
    const { context, sent, send } = line({ credentials });
    expect(codeOf(await send(authorised(context)))).toBe('200');
    context.registry.revoke('main');
    expect(codeOf(await send(authorised(context)))).toBe('phantom-misused');
    expect(context.alarms.at(-1)?.kind).toBe('phantom-revoked');
    const second = line({ credentials: [...credentials] });
    (second.context.credentials as Credential[]).splice(0);
    expect(codeOf(await second.send(authorised(second.context)))).toBe('phantom-misused');
    expect(second.context.alarms).toMatchObject([{ kind: 'phantom-unbound' }]);
    expect([sent.length, second.sent.length]).toEqual([1, 0]);
  });

  test.each([
    [200, ['main']],
    [401, ['main', 'doubted main']],
    [403, ['main']],
  ])('answered with %d doubt the secret that went out, or do not', async (status, reads) => {
    const { context, send } = line({ answer: () => ({ status }) });
    await send(authorised(context));
    expect(context.reads).toEqual(reads);
  });

  test('that no secret went out with doubt none', async () => {
    const { context, send } = line({ answer: () => ({ status: 401 }) });
    await send(requestOf());
    expect(context.reads).toEqual([]);
  });

  test('that went out with a secret have it masked in later answers, also when its credential is gone', async () => {
    const credentials: Credential[] = [bearer];
    const { context, send } = line({
      credentials,
      answer: () => ({ fields: [field('x-echo', secretOf('main'))], body: textBody(`you said ${secretOf('main')}`) }),
    });
    await send(authorised(context));
    (context.credentials as Credential[]).splice(0);
    const answer = await send(requestOf());
    if (answer.kind !== 'response') throw new Error(answer.refusal.message);
    expect(fieldValue(answer.fields, 'x-echo')).not.toContain(secretOf('main'));
    expect(await textOf(answer.body)).not.toContain(secretOf('main'));
  });

  test('read no source without a need', async () => {
    const { context, send } = line();
    for (const request of [
      requestOf(),
      requestOf({ target: `/?q=${context.phantom()}` }),
      requestOf({ headers: [['Authorization', 'Bearer EXAMPLE']] }),
    ])
      await send(request);
    expect(context.reads).toEqual([]);
  });

  test('whose credential cannot be read are refused, each time by asking again', async () => {
    const { context, sent, send } = line({
      secrets: { main: { kind: 'unavailable', message: 'The vault is locked.', remedy: 'Unlock it.' } },
    });
    for (let count = 0; count < 2; count += 1)
      expect(await send(authorised(context))).toEqual({
        kind: 'refused',
        refusal: { code: 'credential-unavailable', message: 'The vault is locked.', remedy: 'Unlock it.' },
      });
    expect([context.reads, sent]).toEqual([['main', 'main'], []]);
  });
});

describe('the content of a request', () => {
  test('stays the same without a phantom', async () => {
    const { sent, send } = line();
    const body = { ...pieces('plain content', 3, [field('X-After', '1')]), length: 13 };
    await send(requestOf({ method: 'POST', body }));
    expect(sent).toMatchObject([{ body: 'plain content', request: { body: { length: 13 } } }]);
    expect(sent[0]?.request.body?.trailers()).toEqual([field('X-After', '1')]);
  });

  test.each([1, 2, 3, 5, 1000])('with a phantom in pieces of %i stops before it, at any host', async (size) => {
    for (const at of [connection, elsewhere]) {
      const { context, sent, send } = line({ at });
      expect(
        codeOf(await send(requestOf({ method: 'POST', body: pieces(`before ${context.phantom()} after`, size) }))),
      ).toBe('phantom-misused');
      expect(sent).toEqual([]);
      expect(context.alarms).toMatchObject([
        { kind: at === connection ? 'phantom-misplaced' : 'phantom-unbound', place: 'the body' },
      ]);
    }
  });

  const models: InterceptedConnection = { ...connection, destination: { host: 'api.openai.com', port: 443 } };
  const spellings = {
    plain: (phantom: string) => phantom,
    base64: (phantom: string) => Buffer.from(`KEY=${phantom} `).toString('base64'),
    hex: (phantom: string) => Buffer.from(phantom).toString('hex'),
  };

  test.each(Object.entries(spellings))(
    'that tells a model a phantom, %s, goes on without it and as long as it was, in pieces of any size',
    async (_, spell) => {
      for (const size of [1, 2, 3, 5, 17, 1000]) {
        const { context, sent, send } = line({ at: models });
        const told = spell(context.phantom());
        const text = `{"text":"before ${told} after"}`;
        expect(codeOf(await send(requestOf({ method: 'POST', body: pieces(text, size) })))).toBe('200');
        const body = sent[0]?.body ?? '';
        expect(body).toHaveLength(text.length);
        expect(body).toMatch(/^\{"text":"before [\w+/=]+ after"\}$/u);
        expect(body).toContain('XXXXXXXX');
        expect(context.registry.findIn(Buffer.from(body))).toEqual([]);
        expect(context.alarms).toEqual([]);
      }
    },
  );

  test('that tells a model a secret stops before it, as does a phantom anywhere but in content', async () => {
    const { context, sent, send } = line({ at: models });
    await context.secrets.read(bearer);
    for (const request of [
      requestOf({ method: 'POST', body: pieces(`${context.phantom()} ${secretOf('main')}`, 3) }),
      requestOf({ method: 'POST', target: `/?q=${context.phantom()}` }),
      requestOf({ method: 'POST', body: pieces('content', 3, [field('X-After', context.phantom())]) }),
    ])
      expect(codeOf(await send(request))).toMatch(/^(?:secret-exposed|phantom-misused)$/u);
    expect(sent).toEqual([]);
  });

  test('with a phantom in a trailer stops before its end', async () => {
    const { context, sent, send } = line();
    expect(
      codeOf(
        await send(requestOf({ method: 'POST', body: pieces('content', 3, [field('X-After', context.phantom())]) })),
      ),
    ).toBe('phantom-misused');
    expect(sent).toEqual([]);
    expect(context.alarms).toMatchObject([{ kind: 'phantom-misplaced', place: 'a trailer' }]);
  });

  test('that nobody reads to its end is left to its sender', async () => {
    let isLeft = false;
    async function* endless(): AsyncGenerator<Buffer, void> {
      try {
        for (;;) yield Buffer.from('x'.repeat(100));
      } finally {
        isLeft = true;
      }
    }
    const context = testContext({ credentials: [bearer] });
    const destination = async ({ body }: OutgoingRequest): Promise<IncomingResponse> => {
      for await (const _ of body ?? textBody('')) break;
      return { kind: 'response', status: 200, reason: '', fields: [] };
    };
    await credentialInterceptor(context)(destination, connection)(
      requestOf({ method: 'POST', body: bodyFrom(endless()) }),
    );
    expect(isLeft).toBe(true);
  });
});

describe('an answer', () => {
  const reflected = (): Partial<IncomingResponse> => ({
    fields: [field('X-Echo', secretOf('main'))],
    body: pieces(`it is ${secretOf('main')}`, 4, [field('X-After', secretOf('main'))]),
  });

  test('shows no secret in its head, its content and after it, and each place raises one alarm', async () => {
    const { context, send } = line({ answer: reflected });
    const answer = (await send(authorised(context))) as IncomingResponse;
    const shown = [
      fieldValue(answer.fields, 'x-echo'),
      await textOf(answer.body),
      fieldValue(answer.body?.trailers() ?? [], 'x-after'),
    ];
    expect(shown.join('')).not.toContain(secretOf('main'));
    expect(shown[1]).toMatch(/^it is [real]{0,3}\*+$/u);
    expect(context.alarms.map(({ kind, place }) => `${kind} ${place}`)).toEqual([
      'secret-reflected the header x-echo',
      'secret-reflected the body',
      'secret-reflected the header x-after',
    ]);
  });

  test('to a request without a credential is masked as well, because the secret has been there', async () => {
    const { context, send } = line({ answer: reflected });
    await send(authorised(context));
    const later = (await send(requestOf())) as IncomingResponse;
    expect(await textOf(later.body)).not.toContain(secretOf('main'));
  });

  test('that comes before the final one shows none either', async () => {
    const early: Fields[] = [];
    const { context, send } = line({
      answer: ({ onInformational }) => {
        onInformational?.(103, [field('Link', secretOf('main'))]);
        return {};
      },
    });
    await send(authorised(context, { onInformational: (_, fields) => void early.push(fields) }));
    expect(early).toEqual([[field('Link', '*'.repeat(secretOf('main').length))]]);
  });

  test('of a host without a credential is unchanged, like its request', async () => {
    const body = textBody('content');
    const { sent, send } = line({
      at: elsewhere,
      answer: () => ({ fields: [field('Content-Encoding', 'exotic')], body }),
    });
    const answer = (await send(requestOf({ headers: [['Accept-Encoding', 'exotic']] }))) as IncomingResponse;
    expect(answer.body).toBe(body);
    expect(sent[0]?.request.fields).toEqual([field('Accept-Encoding', 'exotic')]);
  });
});

test('where a rule redirects the host, its credential is not used', async () => {
  const { context, sent, send } = line({
    at: { ...connection, redirected: { host: 'mirror.test', port: 443 } },
    credentials: [credentialOf({ injection: { kind: 'bearer' }, use: 'always' })],
  });
  expect(codeOf(await send(requestOf()))).toBe('200');
  expect(sent[0]?.request.fields).toEqual([]);
  expect(codeOf(await send(authorised(context)))).toBe('phantom-misused');
  expect(context.reads).toEqual([]);
});

/** A request is put together from parts; each may hold a phantom or the secret in some spelling, or neither. */
const contents = record({
  what: constantFrom('phantom', 'secret', 'nothing'),
  spelling: integer({ min: 0, max: 30 }),
  before: constantFrom('', 'a', 'ab=', '::'),
});
const places = ['authorization', 'x-other', 'cookie', 'query', 'path', 'body', 'name'] as const;

describe('any content', () => {
  test('no phantom goes out, no secret goes anywhere but to its place, and none comes back', () =>
    assert(
      asyncProperty(
        array(record({ place: constantFrom(...places), contents }), { maxLength: 4 }),
        boolean(),
        constantFrom(1, 3, 64),
        async (parts, isBound, size) => {
          const echo = ({ fields, target }: OutgoingRequest): Partial<IncomingResponse> => ({
            fields,
            body: pieces(`${target}\n${fields.map(({ value }) => value).join('\n')}`, size),
          });
          const { context, sent, send } = line({ at: isBound ? connection : elsewhere, answer: echo });
          const known = context.secrets;
          await known.read(bearer);
          const textOfPart = ({
            what,
            spelling,
            before,
          }: {
            readonly what: string;
            readonly spelling: number;
            readonly before: string;
          }): string => {
            if (what === 'nothing') return `${before}plain`;
            const spellings = encodingsOf(what === 'phantom' ? context.phantom() : secretOf('main'));
            return before + String(spellings[spelling % spellings.length]?.toString('latin1'));
          };
          let request = requestOf({ method: 'POST' });
          for (const { place, contents: part } of parts)
            request = withPart(request, place, { text: textOfPart(part), size });
          const answer = await send(request);
          const out = sent.map(({ request: { target, fields }, body }) => ({
            own: fieldValue(fields, 'authorization'),
            rest: Buffer.from(
              [
                target,
                body,
                ...fields.filter(({ key }) => key !== 'authorization').flatMap(({ name, value }) => [name, value]),
              ].join('\n'),
              'latin1',
            ),
          }));
          for (const { own, rest } of out) {
            expect(context.registry.findIn(Buffer.from(own ?? ''))).toEqual([]);
            expect(context.registry.findIn(rest)).toEqual([]);
            for (const spelling of encodingsOf(secretOf('main'))) expect(rest.includes(spelling)).toBe(false);
            if (!isBound) expect(own ?? '').not.toContain(secretOf('main'));
          }
          if (answer.kind === 'response')
            expect((await textOf(answer.body)) + answer.fields.map(({ value }) => value).join('\n')).not.toContain(
              secretOf('main'),
            );
          else expect(JSON.stringify(answer)).not.toMatch(new RegExp(`${context.phantom()}|${secretOf('main')}`, 'u'));
        },
      ),
      { numRuns: rounds(300) },
    ));
});

function withPart(
  request: OutgoingRequest,
  place: (typeof places)[number],
  { text, size }: { readonly text: string; readonly size: number },
): OutgoingRequest {
  switch (place) {
    case 'query':
      return { ...request, target: `${request.target}${request.target.includes('?') ? '&' : '?'}q=${text}` };
    case 'path':
      return { ...request, target: `/${text}${request.target}` };
    case 'body':
      return { ...request, body: pieces(`before ${text} after`, size) };
    case 'name':
      return { ...request, fields: [...request.fields, field(`x${text}`, '1')] };
    default:
      return { ...request, fields: [...request.fields, field(place, place === 'cookie' ? `c=${text}` : text)] };
  }
}
