import type { Duplex } from 'node:stream';
import { type ByteSource, byteSource } from './byte-source.ts';
import { serveHttp1 } from './h1/serve.ts';
import { serveHttp2 } from './h2/serve.ts';
import { limits } from './limits.ts';
import { endAfterSilence } from './silence.ts';
import type { InterceptContext } from './types.ts';

/** How HTTP/2 begins where it was not negotiated. Source: RFC 9113 §3.4. */
const preface = Buffer.from('PRI * HTTP/2.0\r\n');

/**
 * Takes over a client whose connection has been decided: every request on it is decided, sent on and answered. Resolves
 * when the client is gone. Never rejects.
 */
export async function interceptHttp(client: Duplex, context: InterceptContext): Promise<void> {
  client.on('error', () => undefined);
  const record: InterceptContext['record'] = (request) => {
    try {
      context.record(request);
    } catch {
      // What cannot be recorded does not go on.
      client.destroy();
    }
  };
  try {
    await serve(client, { ...context, record });
  } catch {
    client.destroy();
  }
}

async function serve(client: Duplex, context: InterceptContext): Promise<void> {
  if (context.alpn === 'h2') return serveHttp2(client, context);
  const source = byteSource(client);
  if (context.scheme === 'https' || !(await beginsWithPreface(client, source))) return serveHttp1({ stream: client, source }, context);
  source.detach();
  return serveHttp2(client, context);
}

/** gRPC without TLS speaks HTTP/2 without having asked. */
async function beginsWithPreface(client: Duplex, source: ByteSource): Promise<boolean> {
  endAfterSilence(client, limits.idle);
  let seen: Buffer = Buffer.alloc(0);
  try {
    while (seen.length < preface.length && preface.indexOf(seen) === 0) {
      const bytes = await source.read();
      if (bytes === undefined) break;
      seen = Buffer.concat([seen, bytes]);
    }
  } catch {
    // Whoever serves it finds out in the same way.
  }
  source.unread(seen);
  return seen.length >= preface.length && seen.indexOf(preface) === 0;
}
