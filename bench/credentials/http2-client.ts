/**
 * Does the work of `ask` in `bench/network/native/client.c`, over HTTP/2. Reads `ask HOST PORT COUNT` from its standard
 * input. Sends COUNT requests with BENCH_KEY, in turn on one connection. Answers with the nanoseconds of each, or with
 * `error WHY` and its end.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type ClientHttp2Session, connect, type IncomingHttpHeaders, type IncomingHttpStatusHeader } from 'node:http2';
import { createInterface } from 'node:readline';

const { BENCH_KEY: key = '', NODE_EXTRA_CA_CERTS: authorities } = process.env;
const headers = { ':path': '/small', authorization: `Bearer ${key}` };

try {
  for await (const line of createInterface({ input: process.stdin })) console.log((await askMany(line)).join(' '));
} catch (error) {
  console.log(`error ${String(error)}`);
  process.exitCode = 1;
}

/** The first request opens the way to the server, and does not count. */
async function askMany(line: string): Promise<readonly number[]> {
  const [, host, port, count] = line.split(' ');
  const session = connect(
    `https://${host}:${port}`,
    authorities === undefined ? {} : { ca: readFileSync(authorities) },
  );
  await once(session, 'connect');
  await ask(session);
  const times: number[] = [];
  for (let asked = 0; asked < Number(count); asked += 1) times.push(await ask(session));
  session.close();
  return times;
}

async function ask(session: ClientHttp2Session): Promise<number> {
  const begin = process.hrtime.bigint();
  const stream = session.request(headers);
  const ended = once(stream.resume(), 'end');
  const [{ ':status': status }] = (await once(stream, 'response')) as [IncomingHttpHeaders & IncomingHttpStatusHeader];
  await ended;
  if (status !== 200) throw new Error(`the answer was ${status}`);
  return Number(process.hrtime.bigint() - begin);
}
