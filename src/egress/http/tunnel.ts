import type { Duplex } from 'node:stream';
import type { Refused } from '../types.ts';
import { type InterceptContext, refused } from './decide-request.ts';
import type { Send } from './interceptor.ts';
import { httpLimits } from './limits.ts';
import type { Alpn, IncomingResponse, OutgoingRequest, Upstream } from './message.ts';
import { endAfterSilence } from './silence.ts';

/** Relays bytes in both directions until both ends are done. If one end breaks, both end. */
export async function joinTunnel(a: Duplex, b: Duplex): Promise<void> {
  for (const end of [a, b]) endAfterSilence(end, httpLimits.tunnelSilence);
  a.pipe(b);
  b.pipe(a);
  await Promise.all([closed(a, b), closed(b, a)]);
}

function closed(stream: Duplex, other: Duplex): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      if (!stream.readableEnded || stream.errored !== null) other.destroy();
      else if (!other.writableEnded) other.end();
      resolve();
    };
    stream.on('error', () => undefined);
    if (stream.closed) finish();
    else stream.on('close', finish);
  });
}

/** Sends a request through interceptors. If one throws, the request is refused. */
export async function sendSafely(send: Send, request: OutgoingRequest): Promise<IncomingResponse | Refused> {
  try {
    return await send(request);
  } catch (error) {
    const reason =
      error instanceof Error ? error.message.replaceAll(/[^\u0020-\u007e]+/gu, ' ').slice(0, 200) : 'an unknown error';
    return refused({
      code: 'upstream-protocol',
      message: `The request could not be carried out: ${reason}`,
      remedy: 'Report this, with the journal entry of the request.',
    });
  }
}

/** One client connection's link to its destination. */
export interface UpstreamLeg {
  readonly send: Send;
  /** The client is gone. Closes connections in use, and keeps idle ones for others. */
  close(): void;
}

interface Opened {
  readonly kind: 'opened';
  readonly stream: Upstream;
}

/** Opens a connection to the destination that speaks `alpn`. Never rejects. */
export async function openUpstream(context: InterceptContext, alpn: Alpn): Promise<Opened | Refused> {
  try {
    const opened = await context.openUpstream({ alpn });
    if ('refusal' in opened) return opened;
    opened.on('error', () => undefined);
    // Without TLS no protocol is negotiated, so client and proxy know it beforehand.
    if (context.scheme === 'http' || opened.alpn === alpn) return { kind: 'opened', stream: opened };
    opened.destroy();
    return refused({
      code: 'upstream-protocol',
      message: `The client speaks ${spoken[alpn]}, and the destination does not.`,
      remedy: 'Try again, or make the client use the other version of HTTP.',
    });
  } catch {
    return refused({
      code: 'unreachable',
      message: 'The connection to the destination could not be opened.',
      remedy: 'Try again. If it happens again, see the journal.',
    });
  }
}

const spoken: Readonly<Record<Alpn, string>> = { h2: 'HTTP/2', 'http/1.1': 'HTTP/1.1' };
