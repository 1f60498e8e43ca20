import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, type ClientCommand, milliseconds, openClient } from './client.ts';
import { compilePrograms, type Programs } from './programs.ts';
import { type BenchServer, startServer } from './server.ts';

const directory = mkdtempSync(join(tmpdir(), 'holdfast-bench-test-'));
const host = '127.0.0.1';
let programs: Programs;
let server: BenchServer;

beforeAll(async () => {
  programs = await compilePrograms(directory);
  server = await startServer({ program: programs.serve, directory, host: 'bench.example' });
});

afterAll(() => {
  server.close();
  rmSync(directory, { recursive: true, force: true });
});

function open(environment: NodeJS.ProcessEnv = {}): Client {
  return openClient({ prefix: [], program: programs.client, cwd: directory, environment });
}

async function numbers(command: Omit<ClientCommand, 'host'>): Promise<readonly number[]> {
  const client = open();
  const times = milliseconds(await client.ask({ host, ...command }));
  await client.close();
  return times;
}

test('one time for each connection, in the clear, with look-ups and over TLS', async () => {
  for (const [verb, port] of [
    ['connect', server.plain],
    ['name', server.plain],
    ['secure', server.secure],
  ] as const) {
    const times = await numbers({ verb, port, count: 7 });
    expect(times).toHaveLength(7);
    expect(times.every((time) => time > 0.005 && time < 5000)).toBe(true);
  }
});

test('a download takes longer the longer it is', async () => {
  for (const [verb, port] of [
    ['plain', server.plain],
    ['tls', server.secure],
  ] as const) {
    const [short = 0] = await numbers({ verb, port, count: 1000 });
    const [long = 0] = await numbers({ verb, port, count: 200_000_000 });
    expect(long).toBeGreaterThan(5 * short);
  }
});

test('event streams: the first event of each, and the delay of the four that follow 5 ms apart', async () => {
  const count = 30;
  const times = await numbers({ verb: 'events', port: server.secure, count });
  expect(times).toHaveLength(count + count * 4);
  expect(times.every((time) => time > 0)).toBe(true);
  // A count from the previous event would find 5 ms each time, less that event's delay. The first events are no delays.
  expect(Math.min(...times.slice(count))).toBeLessThan(2);
});

test('the issuer is the authority of the server', async () => {
  const client = open();
  expect(await client.ask({ verb: 'issuer', host, port: server.secure })).toBe(`/CN=${server.issuer}`);
  await client.close();
});

test('connections at once count only after their answer', async () => {
  const client = open();
  expect(await client.ask({ verb: 'hold', host, port: server.plain, count: 200 })).toMatch(/^200 \d+$/u);
  // A TLS server answers a request in the clear with nothing that counts.
  expect(await client.ask({ verb: 'hold', host, port: server.secure, count: 20 })).toMatch(/^0 \d+$/u);
  await client.close();
});

test('a missing proxy is an error, and not a figure', async () => {
  const client = open({ HTTPS_PROXY: `http://user:pass@127.0.0.1:${server.secure}` });
  await expect(client.ask({ verb: 'connect', host, port: server.plain, count: 1 })).rejects.toThrow(
    'the proxy refused',
  );
});
