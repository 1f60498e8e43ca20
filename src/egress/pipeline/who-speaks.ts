import type { Duplex } from 'node:stream';
import { type FirstBytes, firstBytes, recogniseWhole } from './first-bytes.ts';

/** What the client speaks, where it may be anything; `silent` when the other side speaks, or leaves, before that is known. */
export async function whoSpeaks(client: Duplex, upstream: Duplex): Promise<FirstBytes> {
  const heard = new AbortController();
  const hear = (): void => heard.abort();
  const events = ['readable', 'end', 'close'] as const;
  for (const event of events) upstream.on(event, hear);
  if (upstream.readableLength > 0 || upstream.readableEnded || upstream.closed) hear();
  const first = await firstBytes(client, { until: heard.signal, recognise: recogniseWhole });
  for (const event of events) upstream.off(event, hear);
  return first;
}
