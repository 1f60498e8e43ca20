import { join } from 'node:path';
import { Duplex } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { BrokerWays, EgressRefusal } from '../../egress/index.ts';
import { policyOfPlace } from '../planner.ts';
import { readPlace } from '../place.ts';
import { plant, scratchDirectory } from '../testing/scratch.ts';
import { credentialEgress } from './credential-egress.ts';
import { openSessionCredentials } from './session-credentials.ts';

const destination = { host: 'db.example.com', port: 5432 };

/** The broker of a session for the database of its policy, with the policy as it is `now`. */
async function brokerAt(at: typeof destination, { mode = 'read-only', now = mode, environment = { DB_PASSWORD: 'EXAMPLE-of-the-database' } }: { readonly mode?: string; readonly now?: string; readonly environment?: Readonly<Record<string, string>> } = {}) {
  const root = scratchDirectory();
  const write = (text: string): void => plant(root, { 'config/holdfast/policy.toml': `version = 1\n[network]\nhosts = ["db.example.com:5432", "db.example.com:6432"]\n[[credentials]]\nname = "database"\nhosts = ["db.example.com:5432"]\nsource = { env = "DB_PASSWORD" }\ninject = { kind = "postgres", user = "app", mode = "${text}" }\nenvironment = ["PGPASSWORD"]\n` });
  plant(root, { 'ws/': '' });
  write(mode);
  const host = { PATH: '/usr/bin:/bin', XDG_STATE_HOME: join(root, 'state'), XDG_CONFIG_HOME: join(root, 'config'), ...environment };
  const place = () => readPlace({ cwd: join(root, 'ws'), environment: host });
  const session = await openSessionCredentials({ id: 's1', place: place(), environment: host, writableRoots: [], gitSettings: 0 });
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
  const ways: BrokerWays = { destination, dial: unused, terminateTls: unused, secure: unused, untilGone: () => ({ signal: new AbortController().signal, end: () => undefined }), record: unused, refused: (refusal) => void refusals.push(refusal) };
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
    expect(await refusalsOf(await brokerAt(destination, options))).toMatchObject([{ code: 'credential-unavailable', message: expect.stringContaining('db.example.com:5432 is for the credential "database", which this session does not have') as string }]);
  });
});
