import { createHash, createHmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import { describe, expect, test } from 'vitest';
import { programPath, reason } from '../../src/egress/tls/testing/programs.ts';
import { groupOf } from '../../src/policy/credentials/types.ts';
import { type Arrived, openWorld, type Site, type World } from '../lib/credential-world.ts';
import { tables } from './lib/tables.ts';

const host = 's3.eu-central-1.amazonaws.com';
const real = {
  accessKeyId: 'AKIAREALEXAMPLE12345',
  secretAccessKey: 'EXAMPLE/real/secret+key/of/forty/chars+x',
  sessionToken: 'EXAMPLE-real-session-token',
};

/** The keys with which AWS SDKs sign. */
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

/** Whether the request carries a signature of the real keys: the SDKs' signer signs the received request again. */
async function isSigned({ method, url, headers }: Arrived): Promise<boolean> {
  const authorization = String(headers['authorization']);
  const [, signed = ''] = /SignedHeaders=([^,]+)/u.exec(authorization) ?? [];
  const { pathname, searchParams } = new URL(url, `https://${host}`);
  const names = signed.split(';');
  const kept = Object.fromEntries(names.map((name) => [name, name === 'host' ? host : String(headers[name])]));
  const time = String(headers['x-amz-date']).replace(
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/u,
    '$1-$2-$3T$4:$5:$6Z',
  );
  const smithy = new SignatureV4({
    credentials: real,
    region: 'eu-central-1',
    service: 's3',
    sha256: Sha256 as never,
    uriEscapePath: false,
  });
  const again = await smithy.sign(
    {
      method,
      protocol: 'https:',
      hostname: host,
      path: pathname,
      query: Object.fromEntries(searchParams),
      headers: kept,
    },
    { signingDate: new Date(time), signableHeaders: new Set(names) },
  );
  return again.headers['authorization'] === authorization && headers['x-amz-security-token'] === real.sessionToken;
}

const objects: Site = ({ method, url }, response) => {
  if (url.includes('list-type=2'))
    return void response
      .writeHead(200, { 'content-type': 'application/xml' })
      .end('<ListBucketResult><KeyCount>1</KeyCount><Contents><Key>a b.txt</Key></Contents></ListBucketResult>');
  return void (method === 'PUT' ? response.writeHead(200, { etag: '"x"' }).end() : response.end('content'));
};

async function open(): Promise<World> {
  const credentials = tables(
    `name = "main"\nhosts = ["${host}", "sts.amazonaws.com"]\nsource = { env = "REAL" }\nenvironment = ["AWS_SECRET_ACCESS_KEY", "AWS_ACCESS_KEY_ID={phantom:accessKeyId}"]\ninject = { kind = "sigv4" }`,
  );
  const { secretAccessKey: value, ...fields } = real;
  return openWorld({
    credentials,
    secrets: { main: { kind: 'secret', secret: { value, fields } } },
    sites: { [host]: objects, 'sts.amazonaws.com': objects, 'other.test': objects },
  });
}

/** The keys as the box sees them. */
function keysOf({ context }: World): Readonly<Record<string, string>> {
  const [credential] = context.credentials;
  if (credential === undefined) throw new Error('There is one.');
  const phantom = (role: string, like: string): string => context.registry.mintFor(credential, role, like);
  return {
    AWS_ACCESS_KEY_ID: phantom('accessKeyId', real.accessKeyId),
    AWS_SECRET_ACCESS_KEY: context.phantom(groupOf(credential)),
    AWS_SESSION_TOKEN: phantom('sessionToken', real.sessionToken),
  };
}

const program = `
  import { S3Client, PutObjectCommand, GetObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
  import { Agent } from 'node:https';
  const client = new S3Client({ region: 'eu-central-1', endpoint: 'https://${host}', forcePathStyle: true, requestHandler: { httpsAgent: new Agent({ proxyEnv: process.env }) }, maxAttempts: 1 });
  await client.send(new PutObjectCommand({ Bucket: 'bucket', Key: 'a b.txt', Body: 'content', Metadata: { note: 'some  words' } }));
  const { Contents } = await client.send(new ListObjectsV2Command({ Bucket: 'bucket', Prefix: 'a b/ü' }));
  const { Body } = await client.send(new GetObjectCommand({ Bucket: 'bucket', Key: Contents[0].Key }));
  process.stdout.write(await Body.transformToString());
`;

describe('the SDK for S3 with phantoms', () => {
  test('puts, lists and gets, signed with the real keys', async () => {
    const world = await open();
    const { stdout, stderr } = await world.node(program, keysOf(world));
    expect({ stdout, stderr }).toEqual({ stdout: 'content', stderr: '' });
    expect(world.arrived.map(({ method }) => method)).toEqual(['PUT', 'GET', 'GET']);
    expect(await Promise.all(world.arrived.map(isSigned))).toEqual([true, true, true]);
    expect(world.context.alarms).toEqual([]);
  });
});

describe.skipIf(programPath('curl') === undefined)(`curl that signs with phantoms${reason('curl')}`, () => {
  const signing = (keys: Readonly<Record<string, string>>, service = 's3'): readonly string[] => [
    '--aws-sigv4',
    `aws:amz:eu-central-1:${service}`,
    '-u',
    `${keys['AWS_ACCESS_KEY_ID']}:${keys['AWS_SECRET_ACCESS_KEY']}`,
  ];
  const unsigned = ['-H', 'x-amz-content-sha256: UNSIGNED-PAYLOAD'] as const;
  const shown = async (world: World, ...words: readonly string[]): Promise<string> =>
    (await world.run(['curl', '-sS', '-m', '10', ...words])).stdout;

  test('gets an object, signed with the real keys', async () => {
    const world = await open();
    expect(await shown(world, ...signing(keysOf(world)), ...unsigned, `https://${host}/bucket/key`)).toBe('content');
    expect(await Promise.all(world.arrived.map(isSigned))).toEqual([true]);
  });

  test.each([
    [
      'at another host',
      (keys: Readonly<Record<string, string>>) => [...signing(keys), 'https://other.test/'],
      'phantom-misused',
    ],
    [
      'for credentials of its own',
      (keys: Readonly<Record<string, string>>) => [
        ...signing(keys, 'sts'),
        '-d',
        'Action=GetSessionToken&Version=2011-06-15',
        'https://sts.amazonaws.com/',
      ],
      'credential-unavailable',
    ],
    [
      'with a key of its own',
      () => [
        ...signing({ AWS_ACCESS_KEY_ID: 'AKIAATTACKEREXAMPLE1', AWS_SECRET_ACCESS_KEY: 'x' }),
        ...unsigned,
        `https://${host}/bucket/key`,
      ],
      'foreign-credential',
    ],
    [
      'with the phantom in the path',
      (keys: Readonly<Record<string, string>>) => [
        ...signing(keys),
        ...unsigned,
        `https://${host}/bucket/${keys['AWS_ACCESS_KEY_ID']}`,
      ],
      'phantom-misused',
    ],
  ] as const)('%s is refused', async (_, words, code) => {
    const world = await open();
    await shown(world, ...words(keysOf(world)));
    expect(world.refusals.map((refusal) => refusal.code)).toEqual([code]);
    expect(world.arrived).toEqual([]);
  });
});
