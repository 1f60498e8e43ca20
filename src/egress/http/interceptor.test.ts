import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { refused } from './decide-request.ts';
import { bodyFrom, type Interceptor, observeBody, textBody } from './interceptor.ts';
import { field, type IncomingResponse, type OutgoingRequest, fieldValue, withField } from './message.ts';
import { startFront } from './testing/front.ts';
import { rawExchange } from './testing/raw-client.ts';
import { httpUpstream } from './testing/servers.ts';

const get = 'GET /path HTTP/1.1\r\nHost: api.test\r\nAuthorization: Bearer phantom\r\nX-Last: 1\r\n\r\n';

async function through(interceptors: readonly Interceptor[], bytes = get): Promise<string> {
  await using upstream = await httpUpstream(async (incoming, response) =>
    response.end(
      JSON.stringify({
        url: incoming.url,
        method: incoming.method,
        headers: incoming.rawHeaders,
        content: await text(incoming),
      }),
    ),
  );
  await using front = await startFront({ scheme: 'http', upstreamPort: upstream.port, interceptors });
  return (await rawExchange(front.port, bytes)).text;
}

/** An interceptor that changes requests and leaves answers alone. */
function onRequest(change: (request: OutgoingRequest) => OutgoingRequest | Promise<OutgoingRequest>): Interceptor {
  return (send) => async (request) => send(await change(request));
}

/** An interceptor that changes answers that came, and leaves refusals alone. */
function onResponse(change: (response: IncomingResponse, request: OutgoingRequest) => IncomingResponse): Interceptor {
  return (send) => async (request) => {
    const answer = await send(request);
    return answer.kind === 'response' ? change(answer, request) : answer;
  };
}

describe('an interceptor', () => {
  test('replaces a header at its place', async () => {
    const answer = await through([
      onRequest((outgoing) => ({ ...outgoing, fields: withField(outgoing.fields, 'authorization', 'Bearer real') })),
    ]);
    expect(answer).toContain('["Host","api.test","Authorization","Bearer real","X-Last","1"]');
  });

  test('changes target and content', async () => {
    const change = onRequest(async (outgoing) => {
      await sleep(5);
      return { ...outgoing, target: '/other?key=real', body: textBody('changed, and longer') };
    });
    const answer = await through([change], 'POST / HTTP/1.1\r\nHost: api.test\r\nContent-Length: 3\r\n\r\nold');
    expect(answer).toContain('"url":"/other?key=real"');
    expect(answer).toContain('"Content-Length","19"');
    expect(answer).toContain('"content":"changed, and longer"');
  });

  test('changes streamed content, without knowing its new length', async () => {
    const shout = onRequest((outgoing) => {
      if (outgoing.body === undefined) return outgoing;
      const { body } = outgoing;
      async function* louder(): AsyncGenerator<Buffer, void> {
        for await (const bytes of body) yield Buffer.from(`${bytes.toString('latin1').toUpperCase()}!`);
      }
      return { ...outgoing, body: bodyFrom(louder()) };
    });
    const answer = await through([shout], 'POST / HTTP/1.1\r\nHost: api.test\r\nContent-Length: 5\r\n\r\nhello');
    expect(answer).toContain('"Transfer-Encoding","chunked"');
    expect(answer).not.toMatch(/"Content-Length"/i);
    expect(answer).toContain('"content":"HELLO!"');
  });

  test('runs before later ones on the way there, and after them on the way back', async () => {
    const seen: string[] = [];
    const noting =
      (name: string): Interceptor =>
      (send) =>
      async (outgoing) => {
        seen.push(`${name} out`);
        const answer = await send(outgoing);
        seen.push(`${name} back`);
        return answer;
      };
    await through([noting('first'), noting('second')]);
    expect(seen).toEqual(['first out', 'second out', 'second back', 'first back']);
  });

  test('may answer or refuse by itself', async () => {
    const own: Interceptor = () => async () => ({
      kind: 'response',
      status: 299,
      reason: 'Own',
      fields: [field('X-Own', '1')],
      body: textBody('own'),
    });
    expect(await through([own])).toBe('HTTP/1.1 299 Own\r\nX-Own: 1\r\nContent-Length: 3\r\n\r\nown');
    const empty: Interceptor = () => async () => ({ kind: 'response', status: 200, reason: '', fields: [] });
    expect(await through([empty])).toBe('HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n');
    const no: Interceptor = () => async () => refused({ code: 'overloaded', message: 'Too much.', remedy: 'Wait.' });
    expect(await through([no])).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\nholdfast-refusal: overloaded\r\n/);
  });

  test('may send again: the first answer is abandoned', async () => {
    let count = 0;
    const twice: Interceptor = (send) => async (outgoing) => {
      await send(outgoing);
      count += 1;
      return send({ ...outgoing, target: '/again' });
    };
    expect(await through([twice])).toContain('"url":"/again"');
    expect(count).toBe(1);
  });

  test.each([
    [
      'throws',
      (): never => {
        throw new Error('broken\r\nX: y');
      },
    ],
    [
      'adds a field with a line break',
      onRequest((outgoing) => ({ ...outgoing, fields: [...outgoing.fields, field('X', 'a\r\nInjected: 1')] })),
    ],
    [
      'adds a name that is none',
      onRequest((outgoing) => ({ ...outgoing, fields: [...outgoing.fields, field('X: y\r\nZ', 'a')] })),
    ],
  ] satisfies readonly (readonly [string, Interceptor | (() => never)])[])(
    'that %s refuses the request and breaks nothing',
    async (_, interceptor) => {
      const broken: Interceptor =
        interceptor.length === 0 ? () => async () => (interceptor as () => never)() : (interceptor as Interceptor);
      const answer = await through([broken]);
      expect(answer).toMatch(/^HTTP\/1\.1 502 Bad Gateway\r\n/);
      expect(answer).not.toMatch(/^(?:X|Injected|Z):/m);
    },
  );
});

describe('a watched answer', () => {
  test('passes chunk by chunk, and is seen chunk by chunk', async () => {
    const seen: string[] = [];
    const watch = onResponse((response) => ({
      ...response,
      ...(response.body === undefined
        ? {}
        : {
            body: observeBody(response.body, {
              chunk: (bytes) => seen.push(String(bytes)),
              end: (trailers) => seen.push(`end ${fieldValue(trailers, 'x-sum')}`),
            }),
          }),
    }));
    const go: (() => void)[] = [];
    await using upstream = await httpUpstream(async (_, response) => {
      response.writeHead(200, { Trailer: 'X-Sum' });
      for (const part of ['one', 'two', 'three']) {
        response.write(part);
        await new Promise<void>((resolve) => go.push(resolve));
      }
      response.addTrailers({ 'X-Sum': '3' });
      response.end();
    });
    await using front = await startFront({ scheme: 'http', upstreamPort: upstream.port, interceptors: [watch] });
    const asked = request({ host: '127.0.0.1', port: front.port, headers: { Host: 'api.test' } }).end();
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    for (const part of ['one', 'two', 'three']) {
      // The destination says no more until this has arrived: nothing is held back on the way.
      expect(String((await once(response, 'data'))[0])).toBe(part);
      expect(seen.at(-1)).toBe(part);
      go.shift()?.();
    }
    await once(response, 'end');
    expect(response.trailers).toEqual({ 'x-sum': '3' });
    expect(seen).toEqual(['one', 'two', 'three', 'end 3']);
  });
});
