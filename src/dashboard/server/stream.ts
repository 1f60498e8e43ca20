import type { SSEStreamingApi } from 'hono/streaming';
import type { StreamMessage } from '../wire.ts';
import type { Channel, Live } from './live.ts';

/**
 * Gives what serves one page until it goes. What changed is sent as it is by then, so that a slow page gets fewer messages, never a queue
 * of old ones. Throws what `watchApprovals` throws.
 */
export function pageServer(live: Live): (stream: SSEStreamingApi) => Promise<void> {
  const changed = new Set<Channel>(['events', 'summary', 'approvals']);
  let wake = (): void => {};
  const detach = live.attach((channel) => {
    changed.add(channel);
    wake();
  });
  return (stream) => {
    stream.onAbort(() => wake());
    return serve(stream, { live, changed, nextChange: () => new Promise((resolve) => (wake = () => resolve('changed'))) }).finally(detach);
  };
}

interface Served {
  readonly live: Live;
  readonly changed: Set<Channel>;
  readonly nextChange: () => Promise<'changed'>;
}

async function serve(stream: SSEStreamingApi, { live, changed, nextChange }: Served): Promise<void> {
  while (!stream.aborted && !stream.closed) {
    const channels = [...changed];
    changed.clear();
    for (const channel of channels) await stream.writeSSE({ data: JSON.stringify(messageOf(channel, live)) });
    await stream.sleep(batchFor);
    if (changed.size > 0 || stream.aborted) continue;
    const why = await Promise.race([nextChange(), stream.sleep(aliveEvery).then(() => 'late' as const)]);
    // Sessions that were killed write nothing: whether they live is looked up.
    if (why === 'late') changed.add('summary');
  }
}

/** 60 frames a second are the page's; nobody reads more than some messages. */
const batchFor = 100;
const aliveEvery = 3000;

function messageOf(channel: Channel, live: Live): StreamMessage {
  switch (channel) {
    case 'events':
      return { kind: 'events', ...live.feed.extent };
    case 'summary':
      return { kind: 'summary', summary: live.feed.summary() };
    case 'approvals':
      return { kind: 'approvals', pending: live.pending() };
  }
}
