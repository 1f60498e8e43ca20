import type { Refused } from '../types.ts';
import { type InterceptContext, refused } from './decide-request.ts';
import type { Alpn, Upstream } from './message.ts';
import type { Send } from './interceptor.ts';

/** The way from one client connection to its destination. */
export interface UpstreamLeg {
  readonly send: Send;
  /** The client is gone: what is under way ends, what is idle may be kept for others. */
  close(): void;
}

export interface Opened {
  readonly kind: 'opened';
  readonly stream: Upstream;
}

/** Asks for a connection to the destination that speaks `alpn`. Never rejects. */
export async function openUpstream(context: InterceptContext, alpn: Alpn): Promise<Opened | Refused> {
  try {
    const opened = await context.openUpstream({ alpn });
    if ('refusal' in opened) return opened;
    opened.on('error', () => undefined);
    // Without TLS nothing is negotiated: the client knows beforehand what the destination speaks, and so do we.
    if (context.scheme === 'http' || opened.alpn === alpn) return { kind: 'opened', stream: opened };
    opened.destroy();
    return refused({
      code: 'upstream-protocol',
      message: `The destination does not speak ${spoken[alpn]}, which the client does.`,
      remedy: 'Try again, or make the client speak the other version of HTTP.',
    });
  } catch {
    return refused({
      code: 'unreachable',
      message: 'The connection to the destination could not be opened.',
      remedy: 'Try again, and look into the journal if it happens again.',
    });
  }
}

const spoken: Readonly<Record<Alpn, string>> = { h2: 'HTTP/2', 'http/1.1': 'HTTP/1.1' };
