import { expect, test } from 'vitest';
import { bodyFrom, textBody } from '../../egress/http/interceptor.ts';
import { field, fieldValue, type IncomingResponse, type OutgoingRequest } from '../../egress/http/message.ts';
import { credentialOf, testContext } from '../inject/testing/context.ts';
import { connection, requestOf } from '../inject/testing/requests.ts';
import { credentialInterceptor } from '../inject/interceptor.ts';
import { suiteKeys, suiteTime } from './testing/resign.ts';

const credential = credentialOf({ injection: { kind: 'sigv4' } });
const { accessKeyId, secretAccessKey } = suiteKeys;

/** What a box gets from a server that makes this of a request that was signed again. */
async function shown(
  asked: (accessKeyId: string) => OutgoingRequest,
  answer: (sent: OutgoingRequest, signature: string) => IncomingResponse,
) {
  const context = testContext({
    credentials: [credential],
    now: () => suiteTime,
    secrets: { main: { kind: 'secret', secret: { value: secretAccessKey, fields: { accessKeyId } } } },
  });
  let signature = '';
  const send = credentialInterceptor(context)(async (sent) => {
    const signed = fieldValue(sent.fields, 'authorization') ?? sent.target;
    signature = /Signature=([\da-f]{64})/u.exec(signed)?.[1] ?? '';
    return answer(sent, signature);
  }, connection);
  const got = await send(asked(context.registry.mintFor(credential, 'accessKeyId', 'AKIAIOSFODNN7EXAMPLE')));
  if (got.kind === 'refused') throw new Error(got.refusal.message);
  let text = JSON.stringify(got.fields) + got.reason;
  for await (const bytes of got.body ?? []) text += bytes.toString('latin1');
  return { text: text + JSON.stringify(got.body?.trailers() ?? []), signature, alarms: context.alarms };
}

const none = '0'.repeat(64);
const scope = (id: string): string => `${id}/20150830/eu-central-1/s3/aws4_request`;

function inHeader(id: string): OutgoingRequest {
  return requestOf({
    headers: [
      ['Authorization', `AWS4-HMAC-SHA256 Credential=${scope(id)}, SignedHeaders=host;x-amz-date, Signature=${none}`],
      ['X-Amz-Date', '20150830T123600Z'],
    ],
  });
}

function presigned(id: string): OutgoingRequest {
  const query = {
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': scope(id),
    'X-Amz-Date': '20150830T123600Z',
    'X-Amz-Expires': '604800',
    'X-Amz-SignedHeaders': 'host',
    'X-Amz-Signature': none,
  };
  return requestOf({ target: `/object?${new URLSearchParams(query).toString()}` });
}

function response(status: number, headers: Readonly<Record<string, string>>, text: string): IncomingResponse {
  const fields = Object.entries(headers).map(([name, value]) => field(name, value));
  return { kind: 'response', status, reason: '', fields, body: textBody(text) };
}

/** Attack: the box hands a signed request to someone outside, who sends it within its fifteen minutes, or its week. */
test.each([
  [
    'an error that shows it',
    inHeader,
    (_: OutgoingRequest, text: string) => response(403, {}, `<Provided>${text}</Provided>`),
  ],
  [
    'a header',
    inHeader,
    ({ fields }: OutgoingRequest) => response(200, { 'x-echo': fieldValue(fields, 'authorization') ?? '' }, ''),
  ],
  [
    'a redirect',
    presigned,
    ({ target }: OutgoingRequest) => response(307, { location: `https://other.test${target}` }, ''),
  ],
  [
    'the link of a page',
    presigned,
    ({ target }: OutgoingRequest) => response(200, {}, `<a href="https://api.test${target}">`),
  ],
  [
    'pieces and a trailer',
    presigned,
    (_: OutgoingRequest, text: string): IncomingResponse => ({
      ...response(200, {}, ''),
      body: bodyFrom(
        (async function* () {
          for (const letter of text) yield Buffer.from(letter);
        })(),
        { trailers: () => [field('x-signed', text)] },
      ),
    }),
  ],
] as const)('a signature with the real key is masked in %s', async (_, asked, answer) => {
  const { text, signature, alarms } = await shown(asked, answer);
  expect(signature).toMatch(/^[\da-f]{64}$/u);
  expect(signature).not.toBe(none);
  expect(text).toContain('*'.repeat(60));
  expect(text).not.toContain(signature.slice(4));
  expect(alarms.map(({ kind, credential: of }) => `${kind} ${of}`)).toContain('secret-reflected main');
});

test('an answer without the signature stays byte for byte', async () => {
  const { text, alarms } = await shown(inHeader, () => response(200, { 'x-a': 'b' }, 'hello'));
  expect([text.endsWith('hello[]'), text.includes('*'), alarms]).toEqual([true, false, []]);
});
