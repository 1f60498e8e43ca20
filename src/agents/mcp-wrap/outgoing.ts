import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { type Answer, codes, failed, type Id, notificationOf, type Params, requestOf } from './rpc.ts';

interface Waiting {
  readonly settle: (answer: Answer) => void;
}

export interface AskOptions {
  /** Gives the request up: the other side is told. */
  readonly signal?: AbortSignal;
}

/** Requests to one side under numbers of our own, so that it answers what it was asked and nothing else. */
export class Outgoing {
  readonly #send: (message: JSONRPCMessage) => unknown;
  readonly #waiting = new Map<Id, Waiting>();
  #last = 0;
  #ended: Answer | undefined;

  constructor(send: (message: JSONRPCMessage) => unknown) {
    this.#send = send;
  }

  /** Never rejects. */
  ask(method: string, params: Params, { signal }: AskOptions = {}): Promise<Answer> {
    if (this.#ended !== undefined) return Promise.resolve(this.#ended);
    const id = (this.#last += 1);
    return new Promise((resolve) => {
      const giveUp = (): void => {
        if (!this.#waiting.delete(id)) return;
        this.#send(notificationOf({ method: 'notifications/cancelled', params: { requestId: id } }));
        resolve(failed(codes.refused, 'the request was cancelled'));
      };
      const settle = (answer: Answer): void => {
        signal?.removeEventListener('abort', giveUp);
        resolve(answer);
      };
      if (signal?.aborted === true) return settle(failed(codes.refused, 'the request was cancelled'));
      signal?.addEventListener('abort', giveUp, { once: true });
      this.#waiting.set(id, { settle });
      this.#send(requestOf({ id, method, params }));
    });
  }

  /** What answers nothing that was asked is dropped. */
  answered(id: Id | undefined, answer: Answer): void {
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    if (waiting === undefined || id === undefined) return;
    this.#waiting.delete(id);
    waiting.settle(answer);
  }

  /** Everything that waits gets this answer. */
  failAll(answer: Answer): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { settle } of waiting) settle(answer);
  }

  /** The same, and whatever is asked from now on. */
  end(answer: Answer): void {
    this.#ended = answer;
    this.failAll(answer);
  }
}
