import { type Duplex, duplexPair } from 'node:stream';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BrokerWays } from '../../egress/types.ts';
import {
  backend,
  errorResponse,
  frontend,
  int32,
  message,
  queryMessage,
  readyForQuery,
  startupMessage,
  zeroEnded,
  tlsRequest,
} from './protocol/types.ts';
import { createAssertion } from './read-only/assertion.ts';
import { PostgresRelay, type PostgresRelayOptions } from './relay/relay.ts';
import { createPostgresBroker } from './serve-client.ts';
import { postgresCredential, testContext } from './testing/context.ts';
import { completed, row, welcome } from './testing/fake-server.ts';
import { batch, bind, closeStatement, describePortal, execute, flush, parse, sync } from './testing/raw-session.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

/** A conversation with some of its octets changed, left out, doubled, or with lengths that lie. */
function mutated(valid: readonly Buffer[]): fc.Arbitrary<readonly Buffer[]> {
  const change = fc.record({
    at: fc.nat(),
    value: fc.constantFrom(0, 1, 4, 0x7f, 0x80, 0xff),
    kind: fc.constantFrom('set', 'cut', 'double', 'length'),
  });
  const cuts = fc.array(fc.nat(2000), { maxLength: 6 });
  return fc
    .tuple(
      fc.shuffledSubarray([...valid], { minLength: 1 }),
      fc.array(change, { maxLength: 4 }),
      cuts,
      fc.uint8Array({ maxLength: 20 }),
    )
    .map(([messages, changes, places, tail]) => {
      let bytes = Buffer.concat([...messages, tail]);
      for (const { at, value, kind } of changes) {
        const place = at % Math.max(1, bytes.length);
        if (kind === 'set') bytes[place] = value;
        if (kind === 'length' && place + 4 <= bytes.length) bytes.writeUInt32BE((value << 24) >>> 0, place);
        if (kind === 'cut') bytes = Buffer.concat([bytes.subarray(0, place), bytes.subarray(place + value)]);
        if (kind === 'double') bytes = Buffer.concat([bytes.subarray(0, place), bytes]);
      }
      const ends = [...new Set(places.map((each) => each % (bytes.length + 1)))].sort((left, right) => left - right);
      return [0, ...ends].map((start, index) => bytes.subarray(start, ends[index] ?? bytes.length));
    });
}

const fromClient = [
  queryMessage('select 1'),
  queryMessage('vacuum'),
  queryMessage('begin'),
  batch('select 1', 'commit', 'select 2'),
  parse('select 1', 's'),
  bind('p', 's'),
  describePortal('p'),
  execute('p', 3),
  closeStatement('s'),
  flush,
  sync,
  message(frontend.copyData, Buffer.alloc(100)),
  message(frontend.copyDone),
  message(frontend.copyFail, zeroEnded('no')),
  message(frontend.functionCall, Buffer.alloc(12)),
  message(frontend.terminate),
];
const fromServer = [
  completed('SELECT 1'),
  row('value'),
  message(backend.rowDescription, Buffer.alloc(30)),
  errorResponse({ severity: 'ERROR', code: '22012', message: 'no' }),
  readyForQuery('T'),
  readyForQuery('E'),
  message(backend.parseComplete),
  message(backend.bindComplete),
  message(backend.closeComplete),
  message(backend.noData),
  message(backend.copyIn, Buffer.alloc(3)),
  message(backend.copyOut, Buffer.alloc(3)),
  message(backend.copyData, Buffer.alloc(100)),
  message(backend.copyDone),
  message(backend.notice, Buffer.from([0])),
  message(backend.notification, int32(1), zeroEnded('a'), zeroEnded('b')),
  message(backend.parameterStatus, zeroEnded('a'), zeroEnded('b')),
  message(backend.portalSuspended),
  message(backend.emptyQuery),
  message(backend.functionResult, int32(-1)),
  message(backend.parameterDescription, Buffer.alloc(2)),
  welcome,
  message(backend.copyBoth, Buffer.alloc(3)),
];

interface Rig {
  readonly client: Duplex;
  readonly server: Duplex;
  readonly ended: Promise<void>;
  readonly heard: () => Buffer;
  /** Breaks both connections. A pair of streams does not tell of it by itself. */
  drop(): Promise<void>;
}

function rig(more: Partial<PostgresRelayOptions>): Rig {
  const [client, clientEnd] = duplexPair();
  const [server, serverEnd] = duplexPair();
  const chunks: Buffer[] = [];
  for (const side of [client, clientEnd, server, serverEnd]) side.on('error', () => undefined);
  client.on('data', (chunk: Buffer) => chunks.push(chunk));
  server.resume();
  const { ended } = new PostgresRelay({
    client: clientEnd,
    server: serverEnd,
    caps: { maxRows: 3, maxBytes: 300 },
    credential: 'db',
    screen: { outgoing: (bytes) => ({ kind: 'passed', bytes }), incoming: (pieces) => pieces },
    statement: () => undefined,
    cancel: async () => undefined,
    ...more,
  });
  const drop = async (): Promise<void> => {
    for (const side of [client, clientEnd, server, serverEnd]) side.destroy();
    await ended;
  };
  return { client, server, ended, heard: () => Buffer.concat(chunks), drop };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the relay neither throws nor hangs', () => {
  test.each([
    ['read-write', {}],
    ['read-only', { assertion: createAssertion('_holdfast_test') }],
  ])('on mutated conversations of both sides: %s', async (_, more) => {
    await fc.assert(
      fc.asyncProperty(mutated(fromClient), mutated(fromServer), async (said, answered) => {
        const { client, server, drop } = rig(more);
        for (let step = 0; step < Math.max(said.length, answered.length); step += 1) {
          if (said[step] !== undefined && client.writable) client.write(said[step]);
          await turn();
          if (answered[step] !== undefined && server.writable) server.write(answered[step]);
          await turn();
        }
        client.end();
        server.end();
        await turn();
        await drop();
      }),
      { numRuns: rounds(300) },
    );
  });

  test('on random bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.uint8Array({ maxLength: 200 }), async (said, answered) => {
        const { client, server, drop } = rig({});
        client.write(said);
        server.write(answered);
        await turn();
        await drop();
      }),
      { numRuns: rounds(200) },
    );
  });

  test.each([
    ['a statement that is too long', 'client', Buffer.from('5101000010', 'hex')],
    ['a name that is too long', 'client', Buffer.from('4400100000', 'hex')],
    ['a message that logs in', 'client', message(frontend.password, zeroEnded('x'))],
    ['a message that there is not', 'client', message(0x21)],
    ['a statement without an end', 'client', message(frontend.query, Buffer.from('select 1'))],
    ['a statement with two', 'client', message(frontend.query, Buffer.from('select 1\0vacuum\0'))],
    ['a prepared statement without an end', 'client', message(frontend.parse, Buffer.from('s\0select 1'))],
    ['a request to authenticate', 'server', message(backend.authentication, int32(3))],
    ['a new key', 'server', message(backend.backendKeyData, Buffer.alloc(8))],
    ['a message that there is not', 'server', message(0x21)],
    ['a state that there is not', 'server', message(backend.readyForQuery, Buffer.from('X'))],
    ['a state that is too long', 'server', message(backend.readyForQuery, Buffer.from('II'))],
    ['a length of nothing', 'server', Buffer.from('4400000003', 'hex')],
    ['a length of 2^31', 'server', Buffer.from('4480000000', 'hex')],
  ] as const)('%s of the %s ends the connection, and the client is told', async (_, side, bytes) => {
    const { client, server, ended, heard } = rig({});
    (side === 'client' ? client : server).write(bytes);
    await turn();
    await turn();
    client.end();
    await ended;
    expect(heard().toString()).toContain(`the ${side} broke the protocol`);
    expect(heard().toString()).toContain('C08P01');
  });

  test('a role that becomes a superuser ends a read-only session, and no other', async () => {
    const status = message(backend.parameterStatus, zeroEnded('is_superuser'), zeroEnded('on'));
    for (const [more, words] of [
      [{ assertion: createAssertion('_holdfast_test') }, 'superuser, which'],
      [{}, 'is_superuser'],
    ] as const) {
      const { server, heard, drop } = rig(more);
      for (const octet of status) {
        server.write(Buffer.from([octet]));
        await turn();
      }
      expect(heard().toString()).toContain(words);
      await drop();
    }
  });

  test('on a statement of 15 MB in small pieces, in linear time', async () => {
    const { client, server, drop } = rig({});
    const begun = process.cpuUsage().user;
    const statement = queryMessage(`select '${'x'.repeat(15_000_000)}'`);
    for (let at = 0; at < statement.length; at += 16_384) {
      if (!client.write(statement.subarray(at, at + 16_384))) await turn();
    }
    await expect.poll(() => server.readableLength === 0 && client.writableLength === 0).toBe(true);
    // Microseconds of processor time; from piece to piece again would be minutes.
    expect(process.cpuUsage().user - begun).toBeLessThan(25e6);
    await drop();
  });
});

describe('unread output', () => {
  test('is not collected: a side that does not keep up stops the other', async () => {
    const { client, server, drop } = rig({ caps: {} });
    client.pause();
    client.removeAllListeners('data');
    let sent = 0;
    const data = row('x'.repeat(60_000));
    for (let step = 0; step < 500; step += 1) {
      if (server.writableNeedDrain) break;
      server.write(data);
      sent += data.length;
      await turn();
    }
    expect(sent).toBeLessThan(2_000_000);
    await drop();
  });

  test('is not collected while a turn waits', async () => {
    const { client, drop } = rig({ assertion: createAssertion('_holdfast_test') });
    client.write(queryMessage('begin'));
    await turn();
    let sent = 0;
    for (let step = 0; step < 2000 && !client.writableNeedDrain; step += 1) {
      const more = queryMessage(`select '${'x'.repeat(10_000)}'`);
      client.write(more);
      sent += more.length;
      await turn();
    }
    expect(sent).toBeLessThan(1_000_000);
    await drop();
  });
});

test('the login neither throws nor hangs nor dials, whatever a client says', async () => {
  const credential = postgresCredential();
  const broker = createPostgresBroker(credential, testContext({ credentials: [credential] }));
  const startup = startupMessage(
    new Map([
      ['user', 'app'],
      ['database', 'x'],
    ]),
  );
  const first = message(frontend.password, zeroEnded('SCRAM-SHA-256'), int32(11), Buffer.from('n,,n=,r=abc'));
  const final = message(frontend.password, Buffer.from(`c=biws,r=abc,p=${Buffer.alloc(32).toString('base64')}`));
  let dials = 0;
  const ways: BrokerWays = {
    destination: { host: 'db.example.com', port: 5432 },
    dial: async () => {
      dials += 1;
      return { kind: 'refused', refusal: { code: 'unreachable', message: 'no', remedy: 'no' } };
    },
    terminateTls: async () => ({ kind: 'refused', refusal: { code: 'client-tls', message: 'no', remedy: 'no' } }),
    secure: async () => ({ kind: 'refused', refusal: { code: 'upstream-certificate', message: 'no', remedy: 'no' } }),
    untilGone: () => ({ signal: new AbortController().signal, end: () => undefined }),
    record: () => undefined,
    refused: () => undefined,
  };
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        mutated([startup, first, final]),
        mutated([startup]).map((chunks) => [...chunks, first, final]),
        mutated([tlsRequest, startup]),
        fc.array(
          fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
          { maxLength: 4 },
        ),
      ),
      async (chunks) => {
        const [near, far] = duplexPair();
        for (const side of [near, far]) side.on('error', () => undefined);
        near.resume();
        const served = broker.serve(far, ways);
        for (const chunk of chunks) {
          if (near.writable) near.write(chunk);
          await turn();
        }
        near.end();
        await served;
        near.destroy();
      },
    ),
    { numRuns: rounds(300) },
  );
  expect(dials).toBe(0);
});
