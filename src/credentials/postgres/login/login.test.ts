import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  authentication,
  authenticationRequest,
  backend,
  backendKeyData,
  errorResponse,
  int32,
  message,
  readyForQuery,
  startupMessage,
  zeroEnded,
} from '../protocol/types.ts';
import { createPostgresBroker } from '../serve-client.ts';
import { postgresCredential, realPassword, testContext, type TestContext } from '../testing/context.ts';
import { completed, fakeServer, row, welcome } from '../testing/fake-server.ts';
import { type Front, startFront } from '../testing/front.ts';
import { rawSession, type RawSession } from '../testing/raw-session.ts';
import type { PostgresCredential } from '../types.ts';
import { createCancelKeys } from './cancel-keys.ts';
import { upstreamParameters } from './establish.ts';

interface Setup {
  readonly front: Front;
  readonly context: TestContext;
  login(parameters?: Readonly<Record<string, string>>): Promise<RawSession>;
}

type Script = Parameters<typeof fakeServer>[0];

async function against(script: Script, injection: Partial<PostgresCredential['injection']> = {}): Promise<Setup> {
  const credential = postgresCredential(injection);
  const context = testContext({ credentials: [credential] });
  const front = await startFront({ broker: createPostgresBroker(credential, context), port: await fakeServer(script) });
  onTestFinished(() => front.stop());
  return {
    front,
    context,
    login: async (parameters = {}) => {
      const session = await rawSession({ port: front.port, user: 'app', password: context.phantom('db'), parameters });
      onTestFinished(() => session.close());
      return session;
    },
  };
}

/** Everything that a client is told that sends `bytes`, until the connection ends. */
async function told(front: Front, bytes: Buffer): Promise<Buffer> {
  const socket = connect(front.port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  socket.write(bytes);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk)).once('end', () => socket.end());
  await new Promise((resolve) => socket.on('close', resolve));
  return Buffer.concat(chunks);
}

const untouched: Script = async () => {
  throw new Error('nobody should come here');
};

describe('a client that breaks the protocol gets an error, and no server is dialled', () => {
  const startup = startupMessage(new Map([['user', 'app']]));
  test.each([
    ['HTTP', Buffer.from('GET / HTTP/1.1\r\nHost: db.example.com\r\n\r\n')],
    ['direct TLS', Buffer.from('16030100f8010000f4', 'hex')],
    ['a length of nothing', Buffer.from('00000000', 'hex')],
    ['a length of 2^31', Buffer.from('80000000', 'hex')],
    ['a startup message of 64 KiB', Buffer.concat([Buffer.from([0, 1, 0, 0]), Buffer.alloc(70_000)])],
    ['version 2', Buffer.from('0000000800020000', 'hex')],
    ['no user', Buffer.from('000000090003000000', 'hex')],
    ['a request for GSS twice', Buffer.from('0000000804d216300000000804d21630', 'hex')],
    ['a query where it should log in', Buffer.concat([startup, message(0x51, zeroEnded('select 1'))])],
    ['a password in the clear', Buffer.concat([startup, message(0x70, zeroEnded('x'))])],
    [
      'a SASL message that says that it is longer',
      Buffer.concat([startup, message(0x70, zeroEnded('SCRAM-SHA-256'), int32(100), Buffer.from('n,,n=,r=abc'))]),
    ],
    ['a SASL message of 1 MiB', Buffer.concat([startup, Buffer.from([0x70, 0, 16, 0, 0]), Buffer.alloc(2000)])],
  ])('%s', async (_, bytes) => {
    const { front } = await against(untouched);
    const answer = await told(front, bytes);
    expect(answer.includes('VFATAL')).toBe(true);
    expect(answer.includes('C08P01') || answer.includes('C0A000')).toBe(true);
    expect(front.dials).toHaveLength(0);
    await expect.poll(() => front.serving).toBe(0);
  });

  test('one that leaves during its login is forgotten', async () => {
    const { front } = await against(untouched);
    const socket = connect(front.port, '127.0.0.1');
    socket.write(startup.subarray(0, 6));
    await expect.poll(() => front.serving).toBe(1);
    socket.destroy();
    await expect.poll(() => front.serving).toBe(0);
  });
});

test('a later version is negotiated down, and unknown options are named', async () => {
  const { front } = await against(untouched);
  const packet = Buffer.concat([
    int32(4 + 4 + 'user\0app\0_pq_.report\0on\0\0'.length),
    Buffer.from([0, 3, 0, 2]),
    Buffer.from('user\0app\0_pq_.report\0on\0\0'),
  ]);
  const socket = connect(front.port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write(packet);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.subarray(0, 26).toString('latin1')).toBe('v\0\0\0\x18\0\0\0\0\0\0\0\x01_pq_.report\0R');
});

describe('a server that does not keep to the protocol', () => {
  const say =
    (...messages: readonly Buffer[]): Script =>
    async (socket, reader) => {
      await reader.first();
      socket.write(Buffer.concat(messages));
      await reader.next(1024);
    };
  const hangUp =
    (...messages: readonly Buffer[]): Script =>
    async (socket, reader) => {
      await reader.first();
      socket.end(Buffer.concat(messages));
    };
  const request = (code: number, body: Buffer = Buffer.alloc(0)): Buffer =>
    message(backend.authentication, int32(code), body);

  interface Misdeed {
    readonly name: string;
    readonly script: Script;
    readonly code: string;
    readonly tls?: 'verify-full' | 'disable';
  }

  const misdeed = (name: string, script: Script, code: string): Misdeed => ({ name, script, code });
  const misdeeds: readonly Misdeed[] = [
    misdeed('ends the connection at once', hangUp(), '08006'),
    misdeed(
      'ends it in the midst of SCRAM',
      hangUp(authenticationRequest('sasl', Buffer.concat([zeroEnded('SCRAM-SHA-256'), Buffer.from([0])]))),
      '08006',
    ),
    misdeed('ends it after the login', hangUp(authenticationRequest('ok')), '08006'),
    misdeed(
      'resets it',
      async (socket, reader) => {
        await reader.first();
        socket.resetAndDestroy();
      },
      '08006',
    ),
    misdeed(
      'offers no SCRAM that is spoken here',
      say(authenticationRequest('sasl', Buffer.concat([zeroEnded('SCRAM-SHA-512'), Buffer.from([0])]))),
      '08006',
    ),
    misdeed(
      'says that it is satisfied in the midst of SCRAM',
      say(
        authenticationRequest('sasl', Buffer.concat([zeroEnded('SCRAM-SHA-256'), Buffer.from([0])])),
        authenticationRequest('ok'),
      ),
      '08006',
    ),
    misdeed(
      'goes on with a SCRAM that never began',
      say(authenticationRequest('saslContinue', Buffer.from('r=x,s=c2FsdA==,i=4096'))),
      '08006',
    ),
    misdeed('ends a SCRAM that never began', say(authenticationRequest('saslFinal', Buffer.from('v=AAAA'))), '08006'),
    misdeed('asks for MD5 with half a salt', say(request(authentication.md5, Buffer.from([1, 2]))), '08006'),
    misdeed(
      'asks for MD5 again and again',
      async (socket, reader) => {
        await reader.first();
        for (;;) {
          socket.write(request(authentication.md5, Buffer.from([1, 2, 3, 4])));
          await reader.next(1024);
        }
      },
      '08006',
    ),
    misdeed('asks for the password in clear text', say(request(authentication.cleartext)), '28000'),
    misdeed('asks for Kerberos', say(request(7)), '0A000'),
    misdeed('sends a message of 2^31 bytes', hangUp(Buffer.from('5280000000', 'hex')), '08006'),
    misdeed('sends a message of no length', hangUp(Buffer.from('5200000000', 'hex')), '08006'),
    misdeed('sends rows before it is ready', hangUp(authenticationRequest('ok'), row('x')), '08006'),
    misdeed(
      'sends a key of another length',
      hangUp(authenticationRequest('ok'), backendKeyData(1, Buffer.alloc(5))),
      '08006',
    ),
    misdeed(
      'never gets ready',
      async (socket, reader) => {
        await reader.first();
        socket.write(authenticationRequest('ok'));
        for (let count = 0; count < 300; count += 1)
          socket.write(message(backend.parameterStatus, zeroEnded('a'), zeroEnded('b')));
      },
      '08006',
    ),
    misdeed(
      'speaks of an error of its own',
      hangUp(errorResponse({ severity: 'FATAL', code: '53300', message: `too many of ${realPassword}` })),
      '53300',
    ),
    misdeed('speaks of an error without a code', hangUp(message(backend.error, Buffer.from([0]))), '08004'),
    {
      ...misdeed(
        'does not speak TLS',
        async (socket, reader) => {
          await reader.first();
          socket.write('N');
        },
        '08001',
      ),
      tls: 'verify-full',
    },
    {
      ...misdeed(
        'sends plain text before TLS',
        async (socket, reader) => {
          await reader.first();
          socket.write(Buffer.concat([Buffer.from('S'), welcome]));
        },
        '08P01',
      ),
      tls: 'verify-full',
    },
    misdeed('speaks something else', async (socket) => void socket.write('SSH-2.0-OpenSSH_9.2\r\n'), '08006'),
  ];

  test.each(misdeeds)(
    '$name: the client gets an error, in its own protocol',
    async ({ script, code, tls = 'disable' }) => {
      const { login, front } = await against(script, { tls });
      await expect(login()).rejects.toThrow(code);
      expect(JSON.stringify(front.refusals)).not.toContain(realPassword);
      await expect.poll(() => front.serving).toBe(0);
    },
  );

  test('that repeats the password in an error is not heard', async () => {
    const { front, context } = await against(
      hangUp(
        errorResponse({
          severity: 'FATAL',
          code: '53300',
          message: `too many of ${realPassword}`,
          remedy: realPassword,
        }),
      ),
    );
    const seen: Buffer[] = [];
    await rawSession({
      port: front.port,
      user: 'app',
      password: context.phantom('db'),
      observe: (chunk) => void seen.push(chunk),
    }).catch(() => undefined);
    expect(Buffer.concat(seen).toString()).toContain('too many of *');
    expect(Buffer.concat(seen).toString()).not.toContain(realPassword);
  });
});

describe('a read-only session is not begun', () => {
  const answering =
    (...answers: readonly Buffer[]): Script =>
    async (socket, reader) => {
      await reader.first();
      socket.write(welcome);
      await reader.next(1024);
      socket.write(Buffer.concat(answers));
      await reader.next(1024);
    };

  test.each<readonly [string, Script, string]>([
    ['as a superuser', answering(row('on'), completed('SHOW')), '42501'],
    ['where the server does not say whether it is one', answering(completed('SHOW')), '42501'],
    ['where it says it in a way that is not known', answering(row('OFF'), completed('SHOW')), '42501'],
    [
      'where it refuses',
      answering(errorResponse({ severity: 'ERROR', code: '42501', message: 'no' }), readyForQuery('I')),
      '08006',
    ],
    ['where it never gets ready', answering(...Array.from({ length: 100 }, () => row('off'))), '08006'],
  ])('%s', async (_, script, code) => {
    const { login } = await against(script, { mode: 'read-only' });
    await expect(login()).rejects.toThrow(code);
  });

  test('and is, where the server says that it is none', async () => {
    const { login } = await against(answering(row('off'), completed('SHOW')), { mode: 'read-only' });
    await expect(login()).resolves.toBeDefined();
  });

  test('and ends when the server will not make a transaction read-only', async () => {
    const { login } = await against(
      async (socket, reader) => {
        await reader.first();
        socket.write(welcome);
        await reader.next(1024);
        socket.write(Buffer.concat([row('off'), completed('SHOW')]));
        await reader.next(1024);
        socket.write(
          Buffer.concat([
            errorResponse({ severity: 'ERROR', code: '57014', message: 'cancelled' }),
            row('written'),
            completed('SELECT 1'),
          ]),
        );
      },
      { mode: 'read-only' },
    );
    const session = await login();
    const answer = await session.query('select write()').catch((error: Error) => error.message);
    expect(answer).toBe('it ended the connection');
  });
});

test('the client’s startup parameters reach the server, with the credential’s user', async () => {
  const seen: Buffer[] = [];
  const { login } = await against(
    async (socket, reader) => {
      seen.push(await reader.first());
      socket.write(welcome);
      await reader.next(1024);
    },
    { user: 'owner' },
  );
  const session = await login({ application_name: 'tests', options: '-c geqo=off', replication: 'off' });
  expect(seen[0]?.toString('latin1', 4).split('\0')).toEqual([
    'user',
    'owner',
    'application_name',
    'tests',
    'options',
    '-c geqo=off',
    'database',
    'app',
    '',
    '',
  ]);
  expect(session.parameters.get('server_version')).toBe('15.18');
  expect(session.key?.body.readInt32BE(0)).toBe(4711);
  expect(session.key?.body.subarray(4)).not.toEqual(Buffer.from([1, 2, 3, 4]));
});

describe('parameters', () => {
  const startup = (parameters: Readonly<Record<string, string>>): Parameters<typeof upstreamParameters>[0] => ({
    kind: 'startup',
    minor: 0,
    options: [],
    parameters: new Map(Object.entries({ user: 'app', ...parameters })),
  });

  test.each(['true', 'on', 'yes', '1', 'database', 'DATABASE', ''])('replication = %j is refused', (replication) => {
    expect(() => upstreamParameters(startup({ replication }), 'read-write')).toThrow('replication');
  });

  test.each([
    [
      {
        application_name: 'psql',
        client_encoding: 'UTF8',
        DateStyle: 'ISO',
        TimeZone: 'UTC',
        extra_float_digits: '2',
        search_path: 'a',
      },
      undefined,
    ],
    [{ options: '  ' }, undefined],
    [{ options: '-c a=b' }, 'options'],
    [{ transaction_read_only: 'off' }, 'transaction_read_only'],
    [{ role: 'other' }, 'role'],
    [{ Client_Encoding: 'SJIS' }, 'encoding'],
  ])('a read-only session with %j', (parameters, words) => {
    const given = (): unknown =>
      upstreamParameters(startup(parameters as Readonly<Record<string, string>>), 'read-only');
    if (words === undefined) expect(given).not.toThrow();
    else expect(given).toThrow(words);
  });
});

test('cancel keys are different for each client, and good as long as its connection', async () => {
  const keys = createCancelKeys();
  const calls: string[] = [];
  const issued = ['a', 'b'].map((name) => keys.issue(1, async () => void calls.push(name)));
  expect(issued[0]?.key).not.toEqual(issued[1]?.key);
  for (const { key } of issued) await keys.find(1, key)?.();
  expect(calls).toEqual(['a', 'b']);
  expect(keys.find(2, issued[0]?.key ?? Buffer.alloc(0))).toBeUndefined();
  issued[0]?.revoke();
  expect(keys.find(1, issued[0]?.key ?? Buffer.alloc(0))).toBeUndefined();
  expect(keys.find(1, issued[1]?.key ?? Buffer.alloc(0))).toBeDefined();
});

test('the server’s connection ends with the client’s', async () => {
  let upstream: Socket | undefined;
  const { login, front } = await against(async (socket, reader) => {
    upstream = socket;
    await reader.first();
    socket.write(welcome);
    await reader.next(1024);
  });
  const session = await login();
  session.close();
  await expect.poll(() => upstream?.destroyed).toBe(true);
  await expect.poll(() => front.serving).toBe(0);
});
