import { type Duplex, duplexPair } from 'node:stream';
import { credentialOf } from '../../inject/testing/context.ts';
import { createMasker } from '../../masking/masker.ts';
import { createDetector, type Hit } from '../../masking/types.ts';
import { createPhantomRegistry } from '../../phantoms/registry.ts';
import { watchWebSocket, type WebSocketWatch } from '../watch-websocket.ts';

export const secret = 'real-EXAMPLE-secret-that-stays-outside';

export interface TestWatch extends WebSocketWatch {
  readonly phantom: string;
  readonly hits: Hit[];
  /** Credentials whose secrets were masked. */
  readonly masked: string[];
}

/** Looks for one phantom and one secret, with a session's own parts. */
export function testWatch(): TestWatch {
  const registry = createPhantomRegistry({ key: Buffer.alloc(32, 7) });
  const phantom = registry.mint(credentialOf({ injection: { kind: 'bearer' } }), undefined);
  const known = () => [{ credential: 'main', text: secret }];
  const hits: Hit[] = [];
  const masked: string[] = [];
  return {
    phantom,
    hits,
    masked,
    outgoing: createDetector({ registry, known }),
    incoming: createMasker({ known }),
    onHit: (hit) => void hits.push(hit),
    onMasked: (credential) => void masked.push(credential),
  };
}

export interface WatchedPair {
  /** The client's stream. */
  readonly client: Duplex;
  /** The server's stream. */
  readonly server: Duplex;
  /** The watched tunnel. */
  readonly tunnel: Duplex;
}

/** Both ends of a watched tunnel in memory. */
export function watchedPair(watch: WebSocketWatch): WatchedPair {
  const [tunnel, server] = duplexPair();
  const client = watchWebSocket(tunnel, watch);
  for (const end of [client, server, tunnel]) end.on('error', () => undefined);
  return { client, server, tunnel };
}

/** All bytes until the end, or until the connection breaks. */
export async function heardOf(stream: Duplex): Promise<Buffer> {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  if (!stream.readableEnded)
    await Promise.race([new Promise((resolve) => stream.once('end', resolve)), closed(stream)]);
  return Buffer.concat(chunks);
}

export async function closed(stream: Duplex): Promise<void> {
  if (!stream.closed) await new Promise((resolve) => stream.once('close', resolve));
}
