import type { BrokerWays } from '../../../egress/index.ts';
import { cancelRequest } from '../protocol/write.ts';
import type { LoggedIn } from './log-in.ts';
import { openUpstream, type UpstreamTls } from './upstream.ts';

/** Milliseconds for a server to take a cancel request. */
const patience = 10_000;

/** Sends a cancel request and waits until the server has ended the connection, which it does once it has signalled its process. Never rejects. */
export async function cancelUpstream(ways: BrokerWays, tls: UpstreamTls, { processId, cancelKey }: Pick<LoggedIn, 'processId' | 'cancelKey'>): Promise<void> {
  try {
    const server = await openUpstream(ways, tls);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => server.destroy(), patience);
      server.once('close', () => {
        clearTimeout(timer);
        resolve();
      });
      server.on('error', () => undefined).on('end', () => server.destroy());
      server.write(cancelRequest(processId, cancelKey));
      server.resume();
    });
  } catch {
    // A cancel request has no answer: a statement that cannot be cancelled runs on, as it does without us.
  }
}
