import type { LineTransport } from '../mcp/transport/line-transport.ts';
import { type Answer, answerTo, codes, failed, type Id, type Request } from './rpc.ts';

/** Who asks, and its requests that are not answered yet. */
export interface Asker {
  readonly transport: LineTransport;
  readonly running: Map<Id, AbortController>;
}

/** Answers one request, which whoever asked may give up: the protocol has no answer to what was cancelled. */
export async function answering({ transport, running }: Asker, { id }: Request, work: (signal: AbortSignal) => Promise<Answer>): Promise<void> {
  const controller = new AbortController();
  running.set(id, controller);
  const answer = await work(controller.signal).catch((error: unknown) => failed(codes.internal, error instanceof Error ? error.message : 'the request failed'));
  // What was cancelled may have given its id to another one.
  if (running.get(id) === controller) running.delete(id);
  if (!controller.signal.aborted) await transport.send(answerTo(id, answer));
}
