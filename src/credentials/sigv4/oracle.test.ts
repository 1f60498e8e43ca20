import { createHash, createHmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { textBody } from '../../egress/http/interceptor.ts';
import { type OutgoingRequest, fieldValue } from '../../egress/http/message.ts';
import { requestOf } from '../inject/testing/requests.ts';
import { signer, suiteTime } from './testing/resign.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

/** What the SDKs of AWS sign with. */
class Sha256 {
  readonly #hash;
  constructor(secret?: unknown) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret as Buffer);
  }
  update(data: Uint8Array): void {
    this.#hash.update(data);
  }
  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string | string[]>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly service: string;
}

const real = { accessKeyId: 'AKIAREALEXAMPLE12345', secretAccessKey: 'EXAMPLE/real/secret+key' };
const signingDate = new Date(suiteTime);
const region = 'eu-central-1';

interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** The request as a client sends it that signs with these keys. */
async function signedBy(
  credentials: Credentials,
  { method, path, query, headers, body, service }: Asked,
  form: 'header' | 'query',
): Promise<OutgoingRequest> {
  const isObjects = service === 's3';
  const smithy = new SignatureV4({ credentials, region, service, sha256: Sha256 as never, uriEscapePath: !isObjects });
  const unsigned = {
    method,
    protocol: 'https:',
    hostname: 'api.test',
    path: path.split('/').map(escapeAws).join('/'),
    query: { ...query },
    headers: {
      host: 'api.test',
      ...headers,
      ...(isObjects && form === 'query' ? { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' } : {}),
    },
    body,
  };
  const signed =
    form === 'header'
      ? await smithy.sign(unsigned, { signingDate })
      : await smithy.presign(unsigned, { signingDate, expiresIn: 60 });
  const parameters = Object.entries(signed.query ?? {}).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => `${escapeAws(name)}=${escapeAws(one)}`),
  );
  const target = `${signed.path}${parameters.length === 0 ? '' : `?${parameters.join('&')}`}`;
  const fields = Object.entries(signed.headers).filter(([name]) => name !== 'host');
  return requestOf({ method, target, headers: fields, ...(body === '' ? {} : { body: textBody(body) }) });
}

function escapeAws(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/gu,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

const token = fc
  .stringMatching(/^[a-z][a-z\d-]{0,12}$/u)
  .filter(
    (name) =>
      ![
        'connection',
        'expect',
        'from',
        'host',
        'te',
        'trailer',
        'upgrade',
        'date',
        'authorization',
        'api-key',
      ].includes(name),
  );
const value = fc.stringMatching(/^[!-~](?:[ -~]{0,20}[!-~])?$/u);
const text = fc.string({ unit: 'grapheme', maxLength: 8 });
const segment = text.filter((part) => part.isWellFormed() && part !== '.' && part !== '..' && !part.includes('/'));

const asked: fc.Arbitrary<Asked> = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE'),
  path: fc.array(segment, { maxLength: 4 }).map((segments) => `/${segments.join('/')}`),
  query: fc.dictionary(
    text.filter((name) => name.isWellFormed() && name !== '__proto__' && name.toLowerCase() !== 'session'),
    fc.oneof(
      text.filter((one) => one.isWellFormed()),
      fc.array(
        text.filter((one) => one.isWellFormed()),
        { minLength: 1, maxLength: 3 },
      ),
    ),
    { maxKeys: 4, noNullPrototype: true },
  ),
  headers: fc.dictionary(token, value, { maxKeys: 4, noNullPrototype: true }),
  body: fc.oneof(fc.constant(''), fc.string()),
  service: fc.constantFrom('s3', 'bedrock', 'dynamodb'),
});

test.each([
  ['header', undefined],
  ['header', 'EXAMPLE/session+token=='],
  ['query', undefined],
  ['query', 'EXAMPLE/session+token=='],
] as const)(
  'a %s signed with phantoms goes out as the SDK would have signed it with the real keys (session token: %s)',
  async (form, sessionToken) => {
    const token = sessionToken === undefined ? {} : { sessionToken };
    const {
      accessKeyId,
      sessionToken: phantomToken,
      resign,
    } = signer({ secret: { value: real.secretAccessKey, fields: { accessKeyId: real.accessKeyId, ...token } } });
    const phantoms: Credentials = {
      accessKeyId,
      secretAccessKey: 'EXAMPLE-phantom-secret-key',
      ...(sessionToken === undefined ? {} : { sessionToken: phantomToken }),
    };
    await fc.assert(
      fc.asyncProperty(asked, async (request) => {
        const sent = await resign(await signedBy(phantoms, request, form));
        if ('kind' in sent) throw new Error(sent.refusal.message);
        const expected = await signedBy({ ...real, ...token }, request, form);
        expect(fieldValue(sent.fields, 'authorization')).toBe(fieldValue(expected.fields, 'authorization'));
        expect(fieldValue(sent.fields, 'x-amz-security-token')).toBe(
          fieldValue(expected.fields, 'x-amz-security-token'),
        );
        expect(new URLSearchParams(sent.target.split('?')[1]).get('X-Amz-Signature')).toBe(
          new URLSearchParams(expected.target.split('?')[1]).get('X-Amz-Signature'),
        );
        expect(JSON.stringify([sent.target, sent.fields])).not.toContain(accessKeyId);
      }),
      { numRuns: rounds(150) },
    );
  },
);
