import { connect, type Socket } from 'node:net';
import { createFrameReader, frame } from '../dns/frames.ts';
import { type Exchange, type ExchangeResult, matchResponse, reasonOf } from './exchange.ts';

const longestMessage = 0xffff;

/** Asks over a connection of its own. Never rejects. */
export async function askTcp(exchange: Exchange): Promise<ExchangeResult> {
  const { server, packet, timeout, signal } = exchange;
  const socket = connect({ host: server.address, port: server.port, noDelay: true });
  return await new Promise<ExchangeResult>((resolve) => {
    const finish = (result: ExchangeResult): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      socket.destroy();
      resolve(result);
    };
    const onAbort = (): void => finish({ kind: 'failed', reason: 'not needed any more' });
    const timer = setTimeout(() => finish({ kind: 'failed', reason: 'no answer' }), timeout);
    signal.addEventListener('abort', onAbort);
    socket.on('error', (error) => finish({ kind: 'failed', reason: reasonOf(error) }));
    socket.on('close', () => finish({ kind: 'failed', reason: 'the connection ended without an answer' }));
    readAnswer(socket, exchange, finish);
    socket.write(frame(packet));
    if (signal.aborted) onAbort();
  });
}

/** A server whose first answer is to something else does not get a second chance. */
function readAnswer(socket: Socket, exchange: Exchange, finish: (result: ExchangeResult) => void): void {
  const frames = createFrameReader(longestMessage);
  socket.on('data', (chunk) => {
    const [message] = frames.push(chunk);
    if (message === undefined || typeof message === 'string') return;
    const match = matchResponse(message, exchange);
    switch (match.kind) {
      // The connection itself says who answers, so the case of letters need not.
      case 'answer':
      case 'other-case':
        return finish(match.response.isTruncated ? { kind: 'failed', reason: 'its answer is cut off even over TCP' } : { kind: 'response', response: match.response });
      case 'stranger':
        return finish({ kind: 'failed', reason: 'it answered something else' });
    }
  });
}
