import type { Duplex } from 'node:stream';
import type { ByteSource } from '../byte-source.ts';
import { clientView, decideRequest } from '../decide-request.ts';
import { chain } from '../interceptor.ts';
import { limits } from '../limits.ts';
import { endAfterSilence } from '../silence.ts';
import type { InterceptContext } from '../types.ts';
import type { Afterwards, Client } from './client.ts';
import { closeGently } from './linger.ts';
import { readHead, requestBeginning } from './read-head.ts';
import { refuseMalformed, refuseRequest, refuseSlow } from './refuse.ts';
import { relay } from './relay.ts';
import { parseRequestHead, type RequestHead } from './request-head.ts';
import { understand } from './understand.ts';
import { http1Upstream } from './upstream.ts';

export interface Accepted {
  readonly stream: Duplex;
  /** Of the stream, with everything the client has said so far. */
  readonly source: ByteSource;
}

/** Serves the requests of an HTTP/1.1 connection, one after the other. Resolves when it is closed. Never rejects. */
export async function serveHttp1({ stream, source }: Accepted, context: InterceptContext): Promise<void> {
  const upstream = http1Upstream(context);
  const gone = new AbortController();
  const client: Client = { stream, source, signal: gone.signal, send: chain(context.interceptors, upstream.send, context), context };
  stream.on('error', () => undefined);
  // Over TLS nobody half closes and waits: a client that ends is gone, and so is whatever it was listening to.
  if (clientView(context).scheme === 'https') Object.assign(stream, { allowHalfOpen: false });
  stream.on('close', () => {
    // A reason of our own: the default one is an exception with a stack.
    gone.abort('gone');
    upstream.close();
  });
  let afterwards: Afterwards;
  do {
    endAfterSilence(stream, limits.idle);
    afterwards = await serveOne(client);
  } while (afterwards === 'keep' && stream.writable);
  if (afterwards === 'taken') return;
  client.source.detach();
  await closeGently(stream);
}

async function serveOne(client: Client): Promise<Afterwards> {
  const text = await readHead(client.source, { beginning: requestBeginning, onSlow: () => refuseSlow(client) });
  if (text === undefined) return 'close';
  if (text.kind === 'problem') return refuseMalformed(client, text);
  endAfterSilence(client.stream, limits.silence);
  const head = parseRequestHead(text.text);
  return head.kind === 'problem' ? refuseMalformed(client, head) : serveHead(client, head);
}

async function serveHead(client: Client, head: RequestHead): Promise<Afterwards> {
  const understood = understand(head, client.context);
  if (understood.kind === 'problem') return refuseMalformed(client, understood, head);
  const decided = await decideRequest(understood.asked, client.context, client.signal);
  if (decided.kind === 'refused') return refuseRequest(client, { understood, head, refused: decided });
  return relay(client, { understood, head, verdict: decided.verdict });
}
