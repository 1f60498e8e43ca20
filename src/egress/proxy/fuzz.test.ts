import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProxy, talk, type TestProxy } from './testing/proxy.ts';

let proxy: TestProxy;

beforeAll(async () => {
  proxy = await startProxy({}, { patience: 60 });
});
afterAll(() => proxy.close());

/** The proxy still serves who comes next. */
async function stillServes(): Promise<void> {
  expect((await talk(proxy.port, 'GET / HTTP/1.1\r\n\r\n')).toString('latin1')).toMatch(/^HTTP\/1\.1 407 /);
}

const destinations = (): readonly unknown[] => proxy.handed.map(({ destination }) => destination);

/** Cuts a message at some places. */
function cut(bytes: Buffer, places: readonly number[]): readonly Buffer[] {
  const at = [0, ...places.map((place) => place % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b);
  return at
    .slice(1)
    .map((end, index) => bytes.subarray(at[index], end))
    .filter((piece) => piece.length > 0);
}

test('random bytes are answered or cut off, reach no destination, and leave the proxy running', async () => {
  const start = fc.constantFrom(
    '',
    '\x05',
    '\x05\x01\x02',
    '\x05\x01\x02\x01',
    '\x04\x01',
    'CONNECT ',
    'GET http://a.test/',
    'GET / HTTP/1.1\r\n',
    '\x16\x03\x01',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  );
  const noise = fc.uint8Array({ maxLength: 80 }).map((each) => Buffer.from(each).toString('latin1'));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(start, noise), { minLength: 20, maxLength: 20 }), async (clients) => {
      await Promise.all(clients.map(([first, more]) => talk(proxy.port, first, more)));
      expect(destinations()).toEqual([]);
    }),
    { numRuns: 6 },
  );
  await stillServes();
});

test('a request is the same in any pieces', async () => {
  // A busy machine takes longer over the pieces than the other proxy waits.
  const patient = await startProxy({}, { patience: 20_000 });
  const head = Buffer.from(
    `CONNECT A.test:8443 HTTP/1.1\r\nHost: a.test:8443\r\nProxy-Authorization: Basic ${patient.basic}\r\n\r\n`,
  );
  const name = Buffer.from('A.test');
  const socks = Buffer.concat([
    Buffer.from([5, 1, 2, 1, 8]),
    Buffer.from('holdfast'),
    Buffer.from([patient.secret.length]),
    Buffer.from(patient.secret),
    Buffer.from([5, 1, 0, 3, name.length]),
    name,
    Buffer.from([8443 >> 8, 8443 & 255]),
  ]);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(fc.nat(), { maxLength: 3 }), { minLength: 10, maxLength: 10 }), async (cuts) => {
      const before = patient.handed.length;
      await Promise.all(
        cuts.map((places, index) => talk(patient.port, ...cut(index % 2 === 0 ? head : socks, places))),
      );
      expect(patient.handed.slice(before).map(({ destination }) => destination)).toEqual(
        cuts.map(() => ({ host: 'a.test', port: 8443 })),
      );
    }),
    { numRuns: 6 },
  );
  patient.close();
});

test('one changed byte never leads to another host', async () => {
  const head = Buffer.from(
    `CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\nProxy-Authorization: Basic ${proxy.basic}\r\n\r\n`,
  );
  const changes = fc.tuple(fc.nat({ max: head.length - 1 }), fc.nat({ max: 255 }));
  await fc.assert(
    fc.asyncProperty(fc.array(changes, { minLength: 30, maxLength: 30 }), async (list) => {
      const before = destinations().length;
      await Promise.all(
        list.map(([at, byte]) => {
          const changed = Buffer.from(head);
          changed[at] = byte;
          return talk(proxy.port, changed);
        }),
      );
      // Host has to agree with the request line, so that a change in one of them alone is refused.
      for (const destination of destinations().slice(before))
        expect(destination).toEqual({ host: 'a.test', port: 443 });
    }),
    { numRuns: 6 },
  );
  await stillServes();
});
