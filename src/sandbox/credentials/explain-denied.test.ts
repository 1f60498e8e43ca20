import { Duplex } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { credentialOf } from '../../credentials/inject/testing/context.ts';
import type { Broker, BrokerEvent, BrokerWays } from '../../egress/index.ts';
import { explainDenied } from './explain-denied.ts';

const postgres = { kind: 'postgres', mode: 'read-only', tls: 'verify-full' } as const;
const redis = { kind: 'redis', mode: 'read-write', tls: 'verify-full', commands: ['GET'] } as const;

async function told(injection: typeof postgres | typeof redis, event: BrokerEvent): Promise<BrokerEvent | undefined> {
  const events: BrokerEvent[] = [];
  const broker: Broker = { name: injection.kind, serve: async (_, ways) => ways.record(event) };
  const never = (): never => expect.unreachable();
  const ways: BrokerWays = { destination: { host: 'db.example.com', port: 5432 }, dial: never, terminateTls: never, secure: never, untilGone: never, refused: never, record: (each) => void events.push(each) };
  await explainDenied(broker, { ...credentialOf({ name: 'database', injection }), injection }).serve(new Duplex(), ways);
  return events[0];
}

const denied = (text: string): BrokerEvent => ({ kind: 'statement', text, decision: 'deny', outcome: 'ERROR 42501' });

describe('a statement that a broker denies', () => {
  test('is explained by the table of the credential', async () => {
    expect(await told(postgres, denied('drop table x'))).toEqual({
      ...denied('drop table x'),
      refusal: {
        code: 'policy',
        message: 'the credential "database", which is read-only, does not let this through to db.example.com:5432: drop table x',
        remedy: 'mode = "read-write" in the table of the credential lets it write',
        verdict: expect.objectContaining({ decision: 'deny', code: 'rule', rule: 'credentials', layer: 'user', file: 'policy.toml', line: 1 }),
      },
    });
  });

  test('is shown without control characters, and not to its end', async () => {
    expect(await told(postgres, denied(`drop \u001b]0;x\u0007 ${'y'.repeat(5000)}`))).toMatchObject({ refusal: { message: expect.not.stringMatching(/\p{Cc}|y{121}/u) } });
  });

  test('of Redis names the key of the policy that would allow it', async () => {
    expect(await told(redis, denied('SET key'))).toMatchObject({ refusal: { remedy: 'commands = […] in the table of the credential names what it may do' } });
  });
});

test.each<BrokerEvent>([
  { kind: 'statement', text: 'select 1', decision: 'allow', outcome: 'SELECT 1' },
  { kind: 'session', user: 'app', database: 'app', mode: 'read-only' },
])('what is let through is told as it is: $kind', async (event) => {
  expect(await told(postgres, event)).toEqual(event);
});
