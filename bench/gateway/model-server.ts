import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { createAuthority } from '../../src/egress/tls/authority.ts';
import { leafMint } from '../../src/egress/tls/leaf.ts';
import { toPem } from '../../src/egress/tls/host-trust.ts';
import type { Say } from './message.ts';

/**
 * A server in Anthropic's dialect. `x-events` is the number of pieces in its answer. `x-every` is the number of
 * milliseconds between every ten of them. Without it, the server sends all at once.
 */
const authority = createAuthority();
const mint = leafMint(authority);
const words = ['The ', 'function ', 'reads ', 'the ', 'file, ', 'and ', 'gives ', 'each line ', 'to ', '`parse`.\n'];

const server = createServer(
  { key: mint.privateKeyPem, cert: toPem(mint.certificateFor('localhost')) },
  (request, response) => void answer(request, response),
);
server.listen(0, '127.0.0.1');
await once(server, 'listening');
say({ kind: 'ready', port: (server.address() as AddressInfo).port, authority: authority.certificatePem });
process.on('disconnect', () => process.exit(0));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  for await (const _ of request);
  const count = Number(request.headers['x-events']);
  const every = Number(request.headers['x-every']);
  response.on('error', () => undefined).writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  response.write(
    event('message_start', {
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'claude-sonnet-4-5',
        content: [],
        usage: { input_tokens: 25, output_tokens: 1 },
      },
    }) + event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
  );
  const start = performance.now();
  for (let index = 0; index < count && !response.destroyed; index += 1) {
    response.write(
      event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: words[index % words.length] } }),
    );
    const due = start + Math.floor(index / words.length) * every;
    if (every > 0 && index % words.length === words.length - 1)
      await wait(Math.max(0, due + every - performance.now()));
  }
  response.end(
    event('content_block_stop', { index: 0 }) +
      event('message_delta', {
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { output_tokens: count },
      }) +
      event('message_stop', {}),
  );
}

function event(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
}

function say(message: Say): void {
  process.send?.(message);
}
