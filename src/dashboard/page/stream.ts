import type { StreamMessage } from '../wire.ts';
import { ApiError, request } from './api.ts';

export type Connection = 'connecting' | 'live' | 'lost' | 'refused';

export interface StreamListener {
  message(message: StreamMessage): void;
  /** `problem`: what the server said, where it did. */
  connection(state: Connection, problem?: string): void;
}

/**
 * Server-sent events, read by `fetch`, because an `EventSource` cannot send the page's key. Connects again until the server refuses,
 * which it does for good.
 */
export async function follow(listener: StreamListener): Promise<never> {
  for (let wait = firstWait; ; wait = Math.min(wait * 2, longestWait)) {
    let problem: string | undefined;
    try {
      const { body } = await request('/stream', {});
      listener.connection('live');
      wait = firstWait;
      if (body !== null) await readMessages(body, listener);
    } catch (error) {
      if (error instanceof ApiError && error.status === 403) {
        listener.connection('refused');
        return new Promise<never>(() => {});
      }
      problem = error instanceof Error ? error.message : undefined;
    }
    listener.connection('lost', problem);
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

const firstWait = 500;
const longestWait = 8000;

async function readMessages(body: ReadableStream<Uint8Array>, listener: StreamListener): Promise<void> {
  let text = '';
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    text += decoder.decode(read.value, { stream: true });
    const messages = text.split('\n\n');
    text = messages.pop() ?? '';
    for (const message of messages) listener.message(JSON.parse(message.replaceAll(/^data: ?/gmu, '')) as StreamMessage);
  }
}
