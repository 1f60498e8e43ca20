import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import type { ReadMessage } from './read-message.ts';

type Refused = Extract<ReadMessage, { readonly kind: 'invalid' }>;

const invalidRequest = -32_600;
/** Of the range that JSON-RPC leaves to servers. */
const tooMany = -32_000;

/** Requests that are not answered yet. A second one with the ID of the first could not be told from it, nor cancelled. */
export class PendingRequests {
  readonly #ids = new Set<unknown>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** What a request is refused with, if it is. */
  received(message: JSONRPCMessage): Refused | undefined {
    if (!('method' in message)) return undefined;
    if (message.method === 'notifications/cancelled') this.#ids.delete(message.params?.['requestId']);
    if (!('id' in message)) return undefined;
    // Answered with its own ID, the first one would be taken for answered.
    if (this.#ids.has(message.id)) return { kind: 'invalid', id: null, error: { code: invalidRequest, message: 'an earlier request with this id is not answered yet' } };
    if (this.#ids.size >= this.#most) return { kind: 'invalid', id: message.id, error: { code: tooMany, message: `${this.#most} requests wait for their answers: wait for some of them` } };
    this.#ids.add(message.id);
    return undefined;
  }

  sent(message: JSONRPCMessage): void {
    if (!('method' in message) && 'id' in message) this.#ids.delete(message.id);
  }
}
