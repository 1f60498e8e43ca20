import type { DialectSocket } from '../types.ts';

/** Source: openai 7.57.0, `ResponsesClientEvent` and `ResponsesServerEvent`. */
export const responsesSocket: DialectSocket = {
  asks: { 'response.create': 'asks', 'response.steer': 'adds' },
  tells(type) {
    if (type === 'error') return 'fails';
    if (/^response\.(?:created|queued|in_progress)$/u.test(type)) return 'begins';
    if (/^response\.(?:completed|incomplete|failed|cancelled)$/u.test(type)) return 'ends';
    return type.startsWith('response.') && !type.startsWith('response.steer.') ? 'goes-on' : 'apart';
  },
  lane: 'stream_id',
  // Older clients put the request under `response`.
  models: [['model'], ['response', 'model']],
};
