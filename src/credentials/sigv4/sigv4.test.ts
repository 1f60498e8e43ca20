import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { atMost } from '../../../scripts/testing/work-time.ts';
import { bodyFrom, textBody } from '../../egress/http/interceptor.ts';
import { type OutgoingRequest, fieldValue } from '../../egress/http/message.ts';
import { requestOf } from '../inject/testing/requests.ts';
import { readSignature } from './read-signature.ts';
import { hexDigest } from './sign.ts';
import { signer, type SignerOptions, suiteKeys, suiteTime, textOf } from './testing/resign.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

interface Shape extends Partial<Omit<OutgoingRequest, 'fields'>> {
  readonly headers?: readonly (readonly [string, string])[];
  /** The value of `Authorization`; `{id}` is the phantom key ID, `{token}` the phantom of the session token. */
  readonly authorization?: string;
  readonly date?: string | undefined;
}

const time = '20150830T123600Z';
const zeros = '0'.repeat(64);
const good = `AWS4-HMAC-SHA256 Credential={id}/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=${zeros}`;

/** Signs a request again that is good but for what is said. */
async function resigned(
  { headers = [], authorization = good, date = time, target, ...more }: Shape = {},
  options: SignerOptions = {},
): Promise<{
  readonly outgoing: Awaited<ReturnType<ReturnType<typeof signer>['resign']>>;
  readonly phantoms: readonly string[];
  readonly known: readonly string[];
}> {
  const { accessKeyId, sessionToken, resign, known } = signer(options);
  const filled = (text: string): string => text.replaceAll('{id}', accessKeyId).replaceAll('{token}', sessionToken);
  const all = [
    ...(authorization === '' ? [] : [['Authorization', authorization] as const]),
    ...(date === '' ? [] : [['X-Amz-Date', date] as const]),
    ...headers,
  ];
  const asked = requestOf({
    ...more,
    ...(target === undefined ? {} : { target: filled(target) }),
    headers: all.map(([name, value]) => [name, filled(value)] as const),
  });
  return { outgoing: await resign(asked), phantoms: [accessKeyId, sessionToken], known: known() };
}

function signedOf(outgoing: Awaited<ReturnType<typeof resigned>>['outgoing']): OutgoingRequest {
  if ('kind' in outgoing) throw new Error(outgoing.refusal.message);
  return outgoing;
}

const presigned = `/key?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential={id}%2F20150830%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=${time}&X-Amz-Expires=60&X-Amz-SignedHeaders=host&X-Amz-Signature=${zeros}`;
const inQuery = { authorization: '', date: '', target: presigned } as const;

describe('a request that is signed again', () => {
  test('has the same scope and headers with the real key ID', async () => {
    const { outgoing } = await resigned();
    const authorization = fieldValue(signedOf(outgoing).fields, 'authorization');
    expect(authorization).toMatch(
      new RegExp(
        `^AWS4-HMAC-SHA256 Credential=${suiteKeys.accessKeyId}/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=[0-9a-f]{64}$`,
        'u',
      ),
    );
    expect(authorization).not.toContain(zeros);
  });

  test.each([
    ['gets the session token that the real key needs', {}, 'host;x-amz-date;x-amz-security-token'],
    [
      'has it in the place of the phantom',
      {
        authorization: good.replace('x-amz-date,', 'x-amz-date;x-amz-security-token,'),
        headers: [['X-Amz-Security-Token', '{token}']],
      },
      'host;x-amz-date;x-amz-security-token',
    ],
    [
      'has it between what is signed besides',
      {
        authorization: good.replace('x-amz-date,', 'x-amz-date;x-amz-security-token;x-last,'),
        headers: [
          ['X-Amz-Security-Token', '{token}'],
          ['X-Last', '1'],
        ],
      },
      'host;x-amz-date;x-amz-security-token;x-last',
    ],
  ] satisfies readonly (readonly [string, Shape, string])[])('%s', async (_, shape, signedHeaders) => {
    const secret = {
      value: suiteKeys.secretAccessKey,
      fields: { accessKeyId: suiteKeys.accessKeyId, sessionToken: 'EXAMPLE/real+session==' },
    };
    const { outgoing, known } = await resigned(shape, { secret });
    const { fields } = signedOf(outgoing);
    expect(fields.filter(({ key }) => key === 'x-amz-security-token').map(({ value }) => value)).toEqual([
      'EXAMPLE/real+session==',
    ]);
    expect(fieldValue(fields, 'authorization')).toContain(`SignedHeaders=${signedHeaders},`);
    expect(known).toContain('EXAMPLE/real+session==');
  });

  test('loses the phantom of a session token that the real key does not have', async () => {
    const { outgoing } = await resigned({
      authorization: good.replace('x-amz-date,', 'x-amz-date;x-amz-security-token,'),
      headers: [['X-Amz-Security-Token', '{token}']],
    });
    expect(fieldValue(signedOf(outgoing).fields, 'x-amz-security-token')).toBeUndefined();
    expect(fieldValue(signedOf(outgoing).fields, 'authorization')).toContain('SignedHeaders=host;x-amz-date,');
  });

  test('in a presigned URL holds no phantom, and is signed once', async () => {
    const secret = {
      value: suiteKeys.secretAccessKey,
      fields: { accessKeyId: suiteKeys.accessKeyId, sessionToken: 'EXAMPLE/real+session==' },
    };
    const { outgoing, phantoms } = await resigned(
      { ...inQuery, target: `${presigned}&X-Amz-Security-Token={token}&x-id=GetObject` },
      { secret },
    );
    const { searchParams } = new URL(signedOf(outgoing).target, 'https://api.test');
    expect(searchParams.getAll('X-Amz-Credential')).toEqual([
      `${suiteKeys.accessKeyId}/20150830/us-east-1/s3/aws4_request`,
    ]);
    expect(searchParams.getAll('X-Amz-Security-Token')).toEqual(['EXAMPLE/real+session==']);
    expect(searchParams.getAll('X-Amz-Signature')).toEqual([expect.stringMatching(/^[\da-f]{64}$/u)]);
    expect(searchParams.get('x-id')).toBe('GetObject');
    expect(phantoms.some((phantom) => signedOf(outgoing).target.includes(phantom))).toBe(false);
  });

  test('takes the key ID of the policy before that of the source', async () => {
    const { outgoing } = await resigned({}, { injection: { accessKeyId: 'AKIAPOLICYEXAMPLE123' } });
    expect(fieldValue(signedOf(outgoing).fields, 'authorization')).toContain('Credential=AKIAPOLICYEXAMPLE123/');
  });

  test('asks for nothing that would be changed after it was signed', async () => {
    const authorization = good.replace('host;', 'accept-encoding;host;');
    const { outgoing } = await resigned({ authorization, headers: [['Accept-Encoding', 'gzip,compress']] });
    const exact = await resigned({ authorization, headers: [['Accept-Encoding', 'gzip']] });
    expect(fieldValue(signedOf(outgoing).fields, 'accept-encoding')).toBe('gzip');
    // Both phantoms were random, what goes out is the same.
    expect(fieldValue(signedOf(outgoing).fields, 'authorization')).toBe(
      fieldValue(signedOf(exact.outgoing).fields, 'authorization'),
    );
  });

  test.each([
    ['a declared hash', [['X-Amz-Content-Sha256', hexDigest(Buffer.from('other'))]], undefined],
    ['an unsigned payload', [['X-Amz-Content-Sha256', 'UNSIGNED-PAYLOAD']], undefined],
    ['unsigned chunks with a trailer', [['X-Amz-Content-Sha256', 'STREAMING-UNSIGNED-PAYLOAD-TRAILER']], undefined],
    ['a hash of our own, and the same body', [], 'content'],
  ] satisfies readonly (readonly [string, Shape['headers'], string | undefined])[])(
    'may have %s',
    async (_, headers, expected) => {
      const body = textBody('content');
      const { outgoing } = await resigned({ method: 'POST', headers, body });
      const sent = signedOf(outgoing).body;
      if (expected === undefined) return expect(sent).toBe(body);
      const chunks: Buffer[] = [];
      for await (const chunk of sent ?? []) chunks.push(chunk);
      expect(Buffer.concat(chunks).toString()).toBe(expected);
      return expect(sent?.length).toBe(7);
    },
  );

  test('signs the length that HTTP/2 did not say', async () => {
    const { outgoing } = await resigned({
      method: 'POST',
      authorization: good.replace('host;', 'content-length;host;'),
      headers: [['X-Amz-Content-Sha256', 'UNSIGNED-PAYLOAD']],
      body: textBody('content'),
    });
    const said = await resigned({
      method: 'POST',
      authorization: good.replace('host;', 'content-length;host;'),
      headers: [
        ['X-Amz-Content-Sha256', 'UNSIGNED-PAYLOAD'],
        ['Content-Length', '7'],
      ],
      body: textBody('content'),
    });
    expect(fieldValue(signedOf(outgoing).fields, 'authorization')).toBe(
      fieldValue(signedOf(said.outgoing).fields, 'authorization'),
    );
  });

  test.each([
    ['fourteen minutes late', 14],
    ['fourteen minutes early', -14],
  ])('may be %s', async (_, minutes) => {
    expect(textOf((await resigned({}, { now: suiteTime + minutes * 60_000 })).outgoing)).toBe('signed');
  });
});

const streaming = (word: string): Shape => ({ headers: [['X-Amz-Content-Sha256', word]] });

describe('a request is not signed again when', () => {
  test.each([
    ['it has no signature', { authorization: '' }, 'has no signature'],
    ['it has two', { headers: [['Authorization', good]] }, 'several Authorization headers'],
    ['it is signed in the query as well', { target: presigned }, 'in its headers and in its query'],
    ['it is signed with SigV4A', { authorization: good.replace('HMAC-SHA256', 'ECDSA-P256-SHA256') }, 'SigV4A'],
    [
      'a URL of it is presigned with SigV4A',
      { ...inQuery, target: presigned.replace('HMAC-SHA256', 'ECDSA-P256-SHA256') },
      'SigV4A',
    ],
    ['it is signed otherwise', { authorization: 'AWS {id}:signature' }, 'not signed with AWS4-HMAC-SHA256'],
    [
      'its header has another order',
      { authorization: good.replace(/(Credential=[^,]+), (SignedHeaders=[^,]+)/u, '$2, $1') },
      'header is malformed',
    ],
    ['its header has more in it', { authorization: `${good}, Credential={id}` }, 'header is malformed'],
    ['its signature is short', { authorization: good.slice(0, -1) }, 'header is malformed'],
    ['its signature is in upper case', { authorization: `${good.slice(0, -1)}A` }, 'header is malformed'],
    [
      'its scope has no region',
      { authorization: good.replace('us-east-1/', '') },
      'scope of its signature is malformed',
    ],
    [
      'its scope ends otherwise',
      { authorization: good.replace('aws4_request', 'aws4_other') },
      'scope of its signature is malformed',
    ],
    [
      'its scope is of another key',
      { authorization: good.replace('{id}', 'AKIAATTACKEREXAMPLE1') },
      'a different access key',
    ],
    [
      'the phantom of the token stands for the key',
      { authorization: good.replace('{id}', '{token}') },
      'a different access key',
    ],
    ['its host is not signed', { authorization: good.replace('host;', '') }, 'host is not signed'],
    [
      'its signed headers are not sorted',
      { authorization: good.replace('host;x-amz-date', 'x-amz-date;host') },
      'not sorted',
    ],
    [
      'a signed header is named twice',
      { authorization: good.replace('host;', 'host;host;') },
      'one of them appears twice',
    ],
    [
      'a signed header is in upper case',
      { authorization: good.replace('host;', 'Host;') },
      'list of signed headers is malformed',
    ],
    [
      'a signed header is there twice',
      {
        authorization: good.replace('x-amz-date,', 'x-amz-date;x-twice,'),
        headers: [
          ['X-Twice', '1'],
          ['x-twice', '1'],
        ],
      },
      'appears twice',
    ],
    [
      'a signed header is not there',
      { authorization: good.replace('host;', 'connection;host;') },
      'header that Holdfast does not pass on',
    ],
    [
      'a key of another kind is signed',
      { authorization: good.replace('x-amz-date,', 'x-amz-date;x-api-key,'), headers: [['X-Api-Key', '1']] },
      'header that Holdfast does not pass on',
    ],
    ['it has no time', { date: '' }, 'one X-Amz-Date'],
    ['it has two times', { headers: [['X-Amz-Date', time]] }, 'one X-Amz-Date'],
    ['its time is malformed', { date: '20150830T996000Z' }, 'time is malformed'],
    ['its scope is of another day', { authorization: good.replace('20150830', '20150829') }, 'another day'],
    ['its chunks are signed', streaming('STREAMING-AWS4-HMAC-SHA256-PAYLOAD'), 'each chunk'],
    ['its chunks and trailer are signed', streaming('STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER'), 'each chunk'],
    ['its events are signed', streaming('STREAMING-AWS4-HMAC-SHA256-EVENTS'), 'each chunk'],
    ['its chunks are signed with SigV4A', streaming('STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD'), 'each chunk'],
    ['the hash of its content is no hash', streaming('abc'), 'hash of its content is malformed'],
    [
      'the hash of its content is there twice',
      {
        headers: [
          ['X-Amz-Content-Sha256', 'UNSIGNED-PAYLOAD'],
          ['X-Amz-Content-Sha256', hexDigest(Buffer.alloc(0))],
        ],
      },
      'hash of its content twice',
    ],
    ['its query holds a plus', { target: '/?a=b+c' }, 'holds a +'],
    ['its query holds half an escape', { target: '/?a=%4' }, 'incomplete percent escape'],
    [
      'a parameter of its URL is there twice',
      { ...inQuery, target: `${presigned}&X-Amz-Date=${time}` },
      'twice or not at all',
    ],
    [
      'a parameter of its URL is missing',
      { ...inQuery, target: presigned.replace('X-Amz-Expires', 'X-Other') },
      'twice or not at all',
    ],
    [
      'its URL is good for ever',
      { ...inQuery, target: presigned.replace('Expires=60', 'Expires=604801') },
      'not between a second and a week',
    ],
    [
      'its URL is good for no time',
      { ...inQuery, target: presigned.replace('Expires=60', 'Expires=-1') },
      'not between a second and a week',
    ],
    [
      'its URL is good for a time that is none',
      { ...inQuery, target: presigned.replace('Expires=60', 'Expires=1e3') },
      'not between a second and a week',
    ],
    [
      'the signature of its URL is malformed',
      { ...inQuery, target: presigned.replace('Signature=0', 'Signature=x') },
      'malformed signature',
    ],
  ] satisfies readonly (readonly [string, Shape, string])[])('%s', async (_, shape, message) => {
    const { outgoing, phantoms } = await resigned(shape);
    expect(textOf(outgoing)).toContain(`The credential "main" cannot sign this request again: `);
    expect(textOf(outgoing)).toContain(message);
    expect('kind' in outgoing && outgoing.refusal.code).toBe('credential-unavailable');
    for (const phantom of [...phantoms, suiteKeys.secretAccessKey])
      expect(JSON.stringify(outgoing)).not.toContain(phantom);
  });

  test.each([
    ['it is sixteen minutes late', {}, { now: suiteTime + 16 * 60_000 }, 'has expired'],
    ['it is sixteen minutes early', {}, { now: suiteTime - 16 * 60_000 }, 'fifteen minutes in the future'],
    ['its URL is as early', inQuery, { now: suiteTime - 16 * 60_000 }, 'fifteen minutes in the future'],
    ['its URL has expired', inQuery, { now: suiteTime + 61_000 }, 'has expired'],
    ['it is for another service', {}, { injection: { service: 'bedrock' } }, 'not for the service bedrock'],
    ['it is for another region', {}, { injection: { region: 'eu-west-1' } }, 'not for the region eu-west-1'],
    [
      'its content is neither signed nor encrypted',
      streaming('UNSIGNED-PAYLOAD'),
      { connection: { destination: { host: 'api.test', port: 80 }, scheme: 'http' } },
      'not signed and not encrypted',
    ],
    ['nobody knows the key ID', {}, { secret: { value: 'EXAMPLE', fields: {} } }, 'returns no access key ID'],
    [
      'the key ID is none',
      {},
      { secret: { value: 'EXAMPLE', fields: { accessKeyId: 'AKIA\r\nX-Evil: 1 EXAMPLE' } } },
      'does not have the form',
    ],
  ] satisfies readonly (readonly [string, Shape, SignerOptions, string])[])(
    '%s',
    async (...[, shape, options, message]) => {
      expect(textOf((await resigned(shape, options)).outgoing)).toContain(message);
    },
  );

  test('its content has to be hashed and is longer than 32 MiB', async () => {
    let given = 0;
    let left = 0;
    async function* endless(): AsyncGenerator<Buffer, void> {
      try {
        for (; ; given += 1) yield Buffer.alloc(1024 * 1024);
      } finally {
        left += 1;
      }
    }
    expect(textOf((await resigned({ method: 'POST', body: bodyFrom(endless()) })).outgoing)).toContain(
      'longer than 32 MiB',
    );
    expect(given).toBeLessThanOrEqual(33);
    // Who leaves a body ends the exchange before its client hears why.
    expect(left).toBe(0);
    expect(
      textOf((await resigned({ method: 'POST', body: bodyFrom(endless(), { length: 64 * 1024 * 1024 }) })).outgoing),
    ).toContain('longer than 32 MiB');
  });
});

const of = (service: string): string => good.replace('/service/', `/${service}/`);
const form = (service: string, content: string, more: Shape = {}): Shape => ({
  method: 'POST',
  authorization: of(service),
  body: textBody(content),
  ...more,
});

describe('credentials that AWS hands out', () => {
  test.each([
    ['the roles of STS', form('sts', 'Action=AssumeRole&Version=2011-06-15&RoleArn=a')],
    ['sessions of STS', form('sts', 'Version=2011-06-15&Action=GetSessionToken')],
    ['what STS may learn to do', form('sts', 'Action=SomethingNew')],
    ['what does not say what it is', form('sts', '')],
    ['what says two things', form('sts', 'Action=GetCallerIdentity&Action=AssumeRole')],
    ['what says one in the query', form('sts', 'Action=GetCallerIdentity', { target: '/?%41ction=AssumeRole' })],
    [
      'what says one behind a second question mark',
      form('sts', 'Action=GetCallerIdentity', { method: 'GET', target: '/?Version=1?&Action=AssumeRole' }),
    ],
    ['what says one with a plus', form('iam', 'Action=CreateAccessKey+')],
    ['what says it with escapes', form('sts', 'Action=%41ssume%52ole')],
    ['what cannot be read', form('iam', 'Action=ListUsers', { headers: [['Content-Encoding', 'gzip']] })],
    ['access keys of IAM', form('iam', 'Action=CreateAccessKey')],
    ['API keys of Bedrock', form('iam', 'Action=CreateServiceSpecificCredential&ServiceName=bedrock.amazonaws.com')],
    [
      'passwords of ECR',
      form('ecr', '{}', { headers: [['X-Amz-Target', 'AmazonEC2ContainerRegistry_V20150921.GetAuthorizationToken']] }),
    ],
    [
      'passwords of ECR, asked for by their path',
      form('ecr', '', { target: '/service/AmazonEC2ContainerRegistry_V20150921/operation/GetAuthorizationToken' }),
    ],
    [
      'sessions of EMR',
      form('elasticmapreduce', '{}', { headers: [['X-Amz-Target', 'ElasticMapReduce.GetClusterSessionCredentials']] }),
    ],
    ['credentials of Lake Formation', form('lakeformation', '{}', { target: '/GetTemporaryGlueTableCredentials' })],
    ['credentials of DataZone', { authorization: of('datazone'), target: '/v2/domains/d/environments/e/credentials' }],
    ['grants of S3', { authorization: of('s3'), target: '/v20180820/accessgrantsinstance/dataaccess?target=a' }],
    ['tokens of IAM Identity Center', form('sso-oauth', '{}', { target: '/token?aws_iam=t' })],
    [
      'tokens of CodeArtifact',
      { method: 'POST', authorization: of('codeartifact'), target: '/v1/authorization-token?domain=d' },
    ],
    ['sessions of S3', { authorization: of('s3express'), target: '/?session' }],
    ['sessions of S3, escaped', { authorization: of('s3'), target: '/?%73ession=' }],
  ] satisfies readonly (readonly [string, Shape])[])('do not come into a box: %s', async (_, shape) => {
    expect(textOf((await resigned(shape)).outgoing)).toContain(
      'would contain credentials that are valid outside the session',
    );
  });

  test.each([
    ['who is asking', form('sts', 'Action=GetCallerIdentity&Version=2011-06-15')],
    ['the users of IAM', form('iam', 'Action=ListUsers&Version=2010-05-08')],
    [
      'repositories',
      form('ecr', '{}', { headers: [['X-Amz-Target', 'AmazonEC2ContainerRegistry_V20150921.DescribeRepositories']] }),
    ],
    ['objects', { authorization: of('s3'), target: '/session?prefix=a' }],
  ] satisfies readonly (readonly [string, Shape])[])('are not taken for %s', async (_, shape) => {
    expect(textOf((await resigned(shape)).outgoing)).toBe('signed');
  });
});

describe('the parser of signatures', () => {
  const bases = [good.replace('{id}', 'AKIAIOSFODNN7EXAMPLE'), presigned.replace('{id}', 'AKIAIOSFODNN7EXAMPLE')];

  test('gives a signature or a reason, for any bytes', () => {
    const mutated = fc
      .tuple(fc.constantFrom(...bases), fc.nat(200), fc.nat(5), fc.string({ unit: 'binary-ascii', maxLength: 5 }))
      .map(([base, at, cut, added]) => base.slice(0, at) + added + base.slice(at + cut));
    fc.assert(
      fc.property(fc.oneof(mutated, fc.string({ unit: 'binary-ascii' })), (text) => {
        for (const request of [
          requestOf({
            headers: [
              ['Authorization', text],
              ['X-Amz-Date', time],
            ],
          }),
          requestOf({ target: text }),
        ]) {
          const read = readSignature(request);
          if (read.kind === 'unsignable') return void expect(`${read.why} ${read.remedy}`).toMatch(/^[ -~]+$/u);
          expect(read.accessKeyId).toMatch(/^[\w+=.-]+$/u);
          expect(read.signedHeaders).toContain('host');
          expect([...read.signedHeaders].sort()).toEqual(read.signedHeaders);
        }
        return undefined;
      }),
      { numRuns: rounds(2000) },
    );
  });

  test('takes no longer for a longer header', () => {
    atMost(6000, () => {
      readSignature(
        requestOf({
          headers: [
            ['Authorization', `AWS4-HMAC-SHA256 ${'Credential=a, '.repeat(20_000)}`],
            ['X-Amz-Date', time],
          ],
        }),
      );
      readSignature(
        requestOf({
          headers: [
            ['Authorization', good.replace('host', `${'a;'.repeat(20_000)}host`)],
            ['X-Amz-Date', time],
          ],
        }),
      );
    });
  });
});
