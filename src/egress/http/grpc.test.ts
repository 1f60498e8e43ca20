import {
  type ClientReadableStream,
  credentials,
  type handleUnaryCall,
  Metadata,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServiceError,
  makeGenericClientConstructor,
  type sendUnaryData,
  status,
} from '@grpc/grpc-js';
import { describe, expect, test } from 'vitest';
import { certificate } from './testing/certificate.ts';
import { startFront } from './testing/front.ts';

const identity = (bytes: Buffer): Buffer => bytes;
const method = (path: string, streams: { readonly request?: true; readonly response?: true } = {}) => ({
  path,
  requestStream: streams.request ?? false,
  responseStream: streams.response ?? false,
  requestSerialize: identity,
  requestDeserialize: identity,
  responseSerialize: identity,
  responseDeserialize: identity,
});

const service = {
  unary: method('/test.Echo/Unary'),
  fail: method('/test.Echo/Fail'),
  secret: method('/test.Admin/Secret'),
  server: method('/test.Echo/Server', { response: true }),
  duplex: method('/test.Echo/Duplex', { request: true, response: true }),
};

type Call = (
  request: Buffer,
  metadata: Metadata,
  done: sendUnaryData<Buffer>,
) => { on(event: 'status', listener: (status: { metadata: Metadata }) => void): void };

interface Running extends AsyncDisposable {
  readonly client: Record<'unary' | 'fail' | 'secret', Call> & {
    server(request: Buffer): ClientReadableStream<Buffer>;
    duplex(): ServerDuplexStream<Buffer, Buffer>;
    close(): void;
  };
  readonly records: Awaited<ReturnType<typeof startFront>>['records'];
}

const unary: handleUnaryCall<Buffer, Buffer> = (call, done) => {
  const trailer = new Metadata();
  trailer.set('x-trailer', 'end');
  call.sendMetadata(call.metadata);
  done(null, Buffer.concat([Buffer.from('echo '), call.request]), trailer);
};

async function start(): Promise<Running> {
  const server = new Server();
  server.addService(service, {
    unary,
    fail: (_: unknown, done: sendUnaryData<Buffer>) => done({ code: status.NOT_FOUND, details: 'no such thing: ü' }),
    secret: unary,
    server: (call: { write(bytes: Buffer): void; end(): void }) => {
      for (let index = 0; index < 50; index += 1) call.write(Buffer.from(String(index)));
      call.end();
    },
    duplex: (call: ServerDuplexStream<Buffer, Buffer>) =>
      call.on('data', (bytes: Buffer) => call.write(bytes)).on('end', () => call.end()),
  });
  const { cert, key } = certificate();
  const upstreamPort = await new Promise<number>((resolve, reject) =>
    server.bindAsync(
      '127.0.0.1:0',
      ServerCredentials.createSsl(null, [{ cert_chain: Buffer.from(cert), private_key: Buffer.from(key) }]),
      (error, port) => (error === null ? resolve(port) : reject(error)),
    ),
  );
  const front = await startFront({
    alpn: 'h2',
    upstreamPort,
    decide: ({ path }) => (path.startsWith('/test.Admin/') ? 'deny' : 'allow'),
  });
  const Client = makeGenericClientConstructor(service, 'Echo');
  const client = new Client(`127.0.0.1:${front.port}`, credentials.createSsl(Buffer.from(cert)), {
    'grpc.ssl_target_name_override': 'api.test',
    'grpc.default_authority': `api.test:${front.port}`,
  });
  return {
    client: client as unknown as Running['client'],
    records: front.records,
    async [Symbol.asyncDispose]() {
      client.close();
      server.forceShutdown();
      await front[Symbol.asyncDispose]();
    },
  };
}

const call = (invoke: Call, text: string): Promise<{ readonly answer: string; readonly trailers: Metadata }> =>
  new Promise((resolve, reject) => {
    let answer = '';
    const running = invoke(Buffer.from(text), new Metadata(), (error, bytes) =>
      error === null ? (answer = String(bytes)) : reject(error),
    );
    running.on('status', ({ metadata }) => resolve({ answer, trailers: metadata }));
  });

describe('gRPC', () => {
  test('calls carry messages and trailers, and the policy judges service and method', async () => {
    await using running = await start();
    const { answer, trailers } = await call(running.client.unary.bind(running.client), 'hello');
    expect([answer, trailers.get('x-trailer')]).toEqual(['echo hello', ['end']]);
    expect(running.records).toMatchObject([{ status: 200, request: { method: 'POST', path: '/test.Echo/Unary' } }]);
  });

  test('errors of the service arrive unchanged', async () => {
    await using running = await start();
    await expect(call(running.client.fail.bind(running.client), '')).rejects.toMatchObject({
      code: status.NOT_FOUND,
      details: 'no such thing: ü',
    } satisfies Partial<ServiceError>);
  });

  test('a refused method gets a gRPC error, with the rule and the remedy', async () => {
    await using running = await start();
    await expect(call(running.client.secret.bind(running.client), '')).rejects.toMatchObject({
      code: status.PERMISSION_DENIED,
      details: 'The rule test-rule says so. Change test-rule.',
    });
    expect((await call(running.client.unary.bind(running.client), 'still there')).answer).toBe('echo still there');
  });

  test('streams of the server arrive whole', async () => {
    await using running = await start();
    const received: string[] = [];
    for await (const bytes of running.client.server(Buffer.alloc(0)) as AsyncIterable<Buffer>)
      received.push(String(bytes));
    expect(received).toEqual(Array.from({ length: 50 }, (_, index) => String(index)));
  });

  test('streams both ways take turns: neither waits for the end', async () => {
    await using running = await start();
    const stream = running.client.duplex();
    const answers = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    for (const text of ['one', 'two', 'three']) {
      stream.write(Buffer.from(text));
      expect(String((await answers.next()).value)).toBe(text);
    }
    stream.end();
    expect((await answers.next()).done).toBe(true);
  });
});
