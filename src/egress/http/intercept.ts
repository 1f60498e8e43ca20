import type { Duplex } from 'node:stream';
import { byteSource } from './byte-source.ts';
import { serveHttp1 } from './h1/serve.ts';
import { serveHttp2 } from './h2/serve.ts';
import { limits } from './limits.ts';
import type { Alpn } from './message.ts';
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
  const alpn = context.scheme === 'http' && context.alpn === 'http/1.1' ? await sniff(client) : context.alpn;
  return alpn === 'h2' ? serveHttp2(client, context) : serveHttp1(client, context);
}

/** gRPC without TLS speaks HTTP/2 without having asked. */
async function sniff(client: Duplex): Promise<Alpn> {
  endAfterSilence(client, limits.idle);
  const source = byteSource(client);
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
  source.detach();
  return seen.length >= preface.length && seen.indexOf(preface) === 0 ? 'h2' : 'http/1.1';
}
