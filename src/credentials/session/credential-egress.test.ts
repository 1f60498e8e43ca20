import { join } from 'node:path';
import { Duplex } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { credentialOf } from '../inject/testing/context.ts';
import type { Fetcher } from '../../egress/egress.ts';
import type { FetchOptions, FetchResult } from '../../egress/fetch/types.ts';
import type { Broker, BrokerEvent, BrokerWays, EgressRefusal } from '../../egress/types.ts';
import { policyOfPlace } from '../../place/planner.ts';
import { readPlace } from '../../place/place.ts';
import { plant, scratchDirectory } from '../../place/testing/scratch.ts';
import { credentialEgress, explainDenied, tokenClient } from './credential-egress.ts';
import { openSessionCredentials } from './session-credentials.ts';

const destination = { host: 'db.example.com', port: 5432 };

/** The broker of a session for the database of its policy, with the policy as it is `now`. */
async function brokerAt(
  at: typeof destination,
  {
    mode = 'read-only',
    now = mode,
    environment = { DB_PASSWORD: 'EXAMPLE-of-the-database' },
  }: { readonly mode?: string; readonly now?: string; readonly environment?: Readonly<Record<string, string>> } = {},
) {
  const root = scratchDirectory();
  const write = (text: string): void =>
    plant(root, {
      'config/holdfast/policy.toml': `version = 1\n[network]\nhosts = ["db.example.com:5432", "db.example.com:6432"]\n[[credentials]]\nname = "database"\nhosts = ["db.example.com:5432"]\nsource = { env = "DB_PASSWORD" }\ninject = { kind = "postgres", user = "app", mode = "${text}" }\nenvironment = ["PGPASSWORD"]\n`,
    });
  plant(root, { 'ws/': '' });
  write(mode);
  const host = {
    PATH: '/usr/bin:/bin',
    XDG_STATE_HOME: join(root, 'state'),
    XDG_CONFIG_HOME: join(root, 'config'),
    ...environment,
  };
  const place = () => readPlace({ cwd: join(root, 'ws'), environment: host });
  const session = await openSessionCredentials({
    id: 's1',
    place: place(),
    environment: host,
    writableRoots: [],
    gitSettings: 0,
  });
  write(now);
  const fetcher = (): never => {
    throw new Error('Nothing is fetched here.');
  };
  return credentialEgress(session, { policy: () => policyOfPlace(place()), fetcher }).broker(at);
}

async function refusalsOf(broker: Awaited<ReturnType<typeof brokerAt>>): Promise<readonly EgressRefusal[]> {
  const refusals: EgressRefusal[] = [];
  const unused = (): never => {
    throw new Error('A refusal needs no network.');
  };
  const ways: BrokerWays = {
    destination,
    dial: unused,
    terminateTls: unused,
    secure: unused,
    untilGone: () => ({ signal: new AbortController().signal, end: () => undefined }),
    record: unused,
    refused: (refusal) => void refusals.push(refusal),
  };
  const client = new Duplex({ read: () => undefined });
  await broker?.serve(client, ways);
  expect(client.destroyed).toBe(true);
  return refusals;
}

describe('a database of the policy', () => {
  test('has a broker, and no other port of its host has', async () => {
    expect((await brokerAt(destination))?.name).toBe('postgres');
    expect(await brokerAt({ ...destination, port: 6432 })).toBeUndefined();
  });

  test.each([
    ['its secret was missing', { environment: {} }],
    ['the policy has changed since', { mode: 'read-write', now: 'read-only' }],
  ])('is not reached past its broker where %s', async (_, options) => {
    expect(await refusalsOf(await brokerAt(destination, options))).toMatchObject([
      {
        code: 'credential-unavailable',
        message: expect.stringContaining(
          'db.example.com:5432 is for the credential "database", which this session lacks',
        ) as string,
      },
    ]);
  });
});

const request = { method: 'POST', headers: { accept: 'application/json' }, body: 'grant_type=x' } as const;
const fetched = {
  status: 200,
  finalUrl: 'https://auth.test/token',
  contentType: 'application/json',
  truncated: false,
  redirects: [],
} as const;

function clientOf(result: FetchResult) {
  const asked: { readonly url: string; readonly options: FetchOptions | undefined }[] = [];
  const fetcher: Fetcher = async (url, options) => {
    asked.push({ url, options });
    return result;
  };
  return { asked, client: tokenClient(() => fetcher) };
}

describe('a token request', () => {
  test('goes the way of every other, follows no redirect, and keeps every byte', async () => {
    const { client, asked } = clientOf({ ...fetched, kind: 'text', text: '{"a":1}', form: 'source', findings: [] });
    expect(await client.fetch('https://auth.test/token', request)).toEqual({
      kind: 'answer',
      status: 200,
      body: '{"a":1}',
    });
    expect(asked).toEqual([
      {
        url: 'https://auth.test/token',
        options: expect.objectContaining({ ...request, maxRedirects: 0, hidden: 'keep', html: 'source' }),
      },
    ]);
  });

  test.each(['http://auth.test/token', 'HTTPS://auth.test', 'file:///etc/passwd', ''])(
    'to %j is not sent',
    async (url) => {
      const { client, asked } = clientOf({ ...fetched, kind: 'text', text: '', form: 'source', findings: [] });
      expect(await client.fetch(url, request)).toMatchObject({
        kind: 'unavailable',
        message: 'its token URL is not https',
      });
      expect(asked).toEqual([]);
    },
  );

  test('that is refused says why', async () => {
    const { client } = clientOf({
      kind: 'refused',
      refusal: { code: 'policy', message: 'No rule allows it.', remedy: 'Add one.' },
    });
    expect(await client.fetch('https://auth.test/token', request)).toEqual({
      kind: 'unavailable',
      message: 'its token endpoint could not be asked: No rule allows it.',
      remedy: 'Add one.',
    });
  });

  test('that is answered with no text has no token', async () => {
    const { client } = clientOf({ ...fetched, kind: 'bytes', bytes: Buffer.from([0, 1]) });
    expect(await client.fetch('https://auth.test/token', request)).toMatchObject({ kind: 'unavailable' });
  });
});

const postgres = { kind: 'postgres', mode: 'read-only', tls: 'verify-full' } as const;
const redis = { kind: 'redis', mode: 'read-write', tls: 'verify-full', commands: ['GET'] } as const;

async function told(injection: typeof postgres | typeof redis, event: BrokerEvent): Promise<BrokerEvent | undefined> {
  const events: BrokerEvent[] = [];
  const broker: Broker = { name: injection.kind, serve: async (_, ways) => ways.record(event) };
  const never = (): never => expect.unreachable();
  const ways: BrokerWays = {
    destination: { host: 'db.example.com', port: 5432 },
    dial: never,
    terminateTls: never,
    secure: never,
    untilGone: never,
    refused: never,
    record: (each) => void events.push(each),
  };
  await explainDenied(broker, { ...credentialOf({ name: 'database', injection }), injection }).serve(
    new Duplex(),
    ways,
  );
  return events[0];
}

const denied = (text: string): BrokerEvent => ({ kind: 'statement', text, decision: 'deny', outcome: 'ERROR 42501' });

describe('a statement that a broker denies', () => {
  test('is explained by the table of the credential', async () => {
    expect(await told(postgres, denied('drop table x'))).toEqual({
      ...denied('drop table x'),
      refusal: {
        code: 'policy',
        message:
          'the credential "database", which is read-only, does not let this through to db.example.com:5432: drop table x',
        remedy: 'mode = "read-write" in the table of the credential lets it write',
        verdict: expect.objectContaining({
          decision: 'deny',
          code: 'rule',
          rule: 'credentials',
          layer: 'user',
          file: 'policy.toml',
          line: 1,
        }),
      },
    });
  });

  test('is shown without control characters, and not to its end', async () => {
    expect(await told(postgres, denied(`drop \u001b]0;x\u0007 ${'y'.repeat(5000)}`))).toMatchObject({
      refusal: { message: expect.not.stringMatching(/\p{Cc}|y{121}/u) },
    });
  });

  test('of Redis names the key of the policy that would allow it', async () => {
    expect(await told(redis, denied('SET key'))).toMatchObject({
      refusal: { remedy: 'commands = […] in the table of the credential lists its allowed commands' },
    });
  });
});

test.each<BrokerEvent>([
  { kind: 'statement', text: 'select 1', decision: 'allow', outcome: 'SELECT 1' },
  { kind: 'session', user: 'app', database: 'app', mode: 'read-only' },
])('a statement let through is reported as such: $kind', async (event) => {
  expect(await told(postgres, event)).toEqual(event);
});
