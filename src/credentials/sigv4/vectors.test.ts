import { describe, expect, test } from 'vitest';
import { requestOf } from '../inject/testing/requests.ts';
import { canonicalRequest, scopeText, hexDigest, signatureOf, signingKey } from './sign.ts';

const secretAccessKey = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
const empty = hexDigest(Buffer.alloc(0));
const unreserved = '-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

interface Vector {
  readonly name: string;
  readonly method?: string;
  /** As it stands in the request line. */
  readonly target?: string;
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: string;
  readonly signature: string;
}

/**
 * The cases of AWS's published suite (aws-sig-v4-test-suite) that a request without repeated header lines can be made
 * of.
 */
const suite: readonly Vector[] = [
  { name: 'get-vanilla', signature: '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31' },
  {
    name: 'get-vanilla-query-order-key-case',
    target: '/?Param2=value2&Param1=value1',
    signature: 'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
  },
  {
    name: 'get-vanilla-empty-query-key',
    target: '/?Param1=value1',
    signature: 'a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb',
  },
  {
    name: 'get-vanilla-query-unreserved',
    target: `/?${unreserved}=${unreserved}`,
    signature: '9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197',
  },
  {
    name: 'get-vanilla-utf8-query',
    target: '/?%E1%88%B4=bar',
    signature: '2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04',
  },
  {
    name: 'get-vanilla-utf8-query, unescaped',
    target: '/?\u00e1\u0088\u00b4=bar',
    signature: '2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04',
  },
  {
    name: 'get-unreserved',
    target: `/${unreserved}`,
    signature: '07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f',
  },
  {
    name: 'get-utf8',
    target: '/\u00e1\u0088\u00b4',
    signature: '8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85',
  },
  {
    name: 'get-space',
    target: '/example space/',
    signature: '652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741',
  },
  {
    name: 'get-slashes (normalised)',
    target: '//example space//',
    signature: '652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741',
  },
  {
    name: 'get-header-key-duplicate',
    headers: [['My-Header1', 'value2,value2,value1']],
    signature: 'c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea',
  },
  {
    name: 'get-header-value-order',
    headers: [['My-Header1', 'value4,value1,value3,value2']],
    signature: '08c7e5a9acfcfeb3ab6b2185e75ce8b1deb5e634ec47601a50643f830c755c01',
  },
  {
    name: 'get-header-value-trim',
    headers: [
      ['My-Header1', ' value1'],
      ['My-Header2', ' "a   b   c"'],
    ],
    signature: 'acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736',
  },
  {
    name: 'post-vanilla',
    method: 'POST',
    signature: '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
  },
  {
    name: 'post-vanilla-query',
    method: 'POST',
    target: '/?Param1=value1',
    signature: '28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11',
  },
  {
    name: 'post-header-key-case',
    method: 'POST',
    headers: [['MY-HEADER1', 'value1']],
    signature: 'c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c',
  },
  {
    name: 'post-header-value-case',
    method: 'POST',
    headers: [['My-Header1', 'VALUE1']],
    signature: 'cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d',
  },
  {
    name: 'post-x-www-form-urlencoded',
    method: 'POST',
    headers: [['Content-Type', 'application/x-www-form-urlencoded']],
    body: 'Param1=value1',
    signature: 'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
  },
];

test.each(suite)(
  'AWS signs $name like this',
  ({ method = 'GET', target = '/', headers = [], body = '', signature }) => {
    const request = requestOf({
      method,
      target,
      authority: 'example.amazonaws.com',
      headers: [...headers, ['X-Amz-Date', '20150830T123600Z']],
    });
    const signedHeaders = ['host', ...request.fields.map(({ key }) => key)].sort();
    const canonical = canonicalRequest(request, {
      service: 'service',
      signedHeaders,
      payloadHash: hexDigest(Buffer.from(body)),
    });
    if (canonical.kind !== 'canonical') throw new Error(canonical.why);
    expect(
      signatureOf(canonical.text, {
        secretAccessKey,
        scope: { date: '20150830', region: 'us-east-1', service: 'service' },
        time: '20150830T123600Z',
      }),
    ).toBe(signature);
  },
);

/** Amazon S3 API Reference, "Signature calculations for the Authorization header" and "… using query parameters". */
const objects: readonly Vector[] = [
  {
    name: 'GET Object',
    target: '/test.txt',
    headers: [['Range', 'bytes=0-9']],
    signature: 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  },
  {
    name: 'PUT Object',
    method: 'PUT',
    target: '/test$file.text',
    headers: [
      ['Date', 'Fri, 24 May 2013 00:00:00 GMT'],
      ['X-Amz-Storage-Class', 'REDUCED_REDUNDANCY'],
    ],
    body: 'Welcome to Amazon S3.',
    signature: '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  },
  {
    name: 'GET Bucket Lifecycle',
    target: '/?lifecycle',
    signature: 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  },
  {
    name: 'List Objects',
    target: '/?max-keys=2&prefix=J',
    signature: '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  },
];

describe('Amazon S3', () => {
  const scope = { date: '20130524', region: 'us-east-1', service: 's3' };
  const time = '20130524T000000Z';
  const documented = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';

  test.each(objects)(
    'signs $name like this',
    ({ method = 'GET', target = '/', headers = [], body = '', signature }) => {
      const payloadHash = hexDigest(Buffer.from(body));
      const request = requestOf({
        method,
        target,
        authority: 'examplebucket.s3.amazonaws.com',
        headers: [...headers, ['X-Amz-Date', time], ['X-Amz-Content-Sha256', payloadHash]],
      });
      const canonical = canonicalRequest(request, {
        service: 's3',
        signedHeaders: ['host', ...request.fields.map(({ key }) => key)].sort(),
        payloadHash,
      });
      if (canonical.kind !== 'canonical') throw new Error(canonical.why);
      expect(signatureOf(canonical.text, { secretAccessKey: documented, scope, time })).toBe(signature);
    },
  );

  test('signs a URL like this, whatever signature it has already', () => {
    const target =
      '/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature=0000';
    const canonical = canonicalRequest(requestOf({ target, authority: 'examplebucket.s3.amazonaws.com' }), {
      service: 's3',
      signedHeaders: ['host'],
      payloadHash: 'UNSIGNED-PAYLOAD',
    });
    if (canonical.kind !== 'canonical') throw new Error(canonical.why);
    expect(signatureOf(canonical.text, { secretAccessKey: documented, scope, time })).toBe(
      'aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
    );
  });

  test.each([
    ['/a%20b/c%2Bd', '/a%20b/c%2Bd'],
    ["/it's(1)", '/it%27s%281%29'],
    ['/a//b', '/a//b'],
    ['/50%25', '/50%25'],
  ])('encodes the key of %s once: %s', (target, path) => {
    const canonical = canonicalRequest(requestOf({ target }), {
      service: 's3',
      signedHeaders: ['host'],
      payloadHash: empty,
    });
    expect(canonical).toMatchObject({ text: `GET\n${path}\n\nhost:api.test\n\nhost\n${empty}` });
  });
});

test('other services sign the client’s encoded path, encoded once more', () => {
  const canonical = canonicalRequest(requestOf({ target: '/model/anthropic.claude%3A0/invoke?b=%7e&a&b=1%2f' }), {
    service: 'bedrock',
    signedHeaders: ['host'],
    payloadHash: empty,
  });
  expect(canonical).toMatchObject({
    text: `GET\n/model/anthropic.claude%253A0/invoke\na=&b=1%2F&b=~\nhost:api.test\n\nhost\n${empty}`,
  });
});

/** IAM User Guide, "Examples of how to derive a signing key". */
test.each([
  ['20120215', 'f4780e2d9f65fa895f9c67b32ce1baf0b0d8a43505a000a1a9e090d414db404d'],
  ['20150830', 'c4afb1cc5771d871763a393e44b703571b55cc28424d1a5e86da6ed3c154a4b9'],
])('the key of %s is derived like this', (date, key) => {
  const scope = { date, region: 'us-east-1', service: 'iam' };
  expect(signingKey(secretAccessKey, scope).toString('hex')).toBe(key);
  expect(scopeText(scope)).toBe(`${date}/us-east-1/iam/aws4_request`);
});
