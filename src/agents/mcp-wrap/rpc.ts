import type { JSONRPCMessage } from '@modelcontextprotocol/server';

export type Id = string | number;
export type Params = Readonly<Record<string, unknown>>;

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Outcome of a request. */
export type RpcOutcome = { readonly result: Params } | { readonly error: RpcError };

export interface RpcRequest {
  readonly id: Id;
  readonly method: string;
  readonly params: Params;
}

export interface RpcNotification {
  readonly method: string;
  readonly params: Params;
}

/** A message by its kind. */
export type RpcMessage =
  | ({ readonly kind: 'request' } & RpcRequest)
  | ({ readonly kind: 'notification' } & RpcNotification)
  | { readonly kind: 'answer'; readonly id: Id | undefined; readonly answer: RpcOutcome };

/** Error codes of JSON-RPC 2.0, and of the range that it leaves to servers. */
export const codes = {
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
  serverEnded: -32_000,
  refused: -32_001,
  tooLong: -32_002,
} as const;

export function rpcMessage(message: JSONRPCMessage): RpcMessage {
  if ('method' in message) {
    const { method, params = {} } = message;
    return 'id' in message
      ? { kind: 'request', id: message.id, method, params: params as Params }
      : { kind: 'notification', method, params: params as Params };
  }
  return {
    kind: 'answer',
    id: message.id,
    answer: 'result' in message ? { result: message.result as Params } : { error: message.error },
  };
}

export function answerTo(id: Id, answer: RpcOutcome): JSONRPCMessage {
  return { jsonrpc: '2.0', id, ...answer } as JSONRPCMessage;
}

function rpcRequest({ id, method, params }: RpcRequest): JSONRPCMessage {
  return { jsonrpc: '2.0', id, method, params } as JSONRPCMessage;
}

export function notificationOf({ method, params }: RpcNotification): JSONRPCMessage {
  return { jsonrpc: '2.0', method, params } as JSONRPCMessage;
}

export function rpcError(code: number, message: string): RpcOutcome {
  return { error: { code, message } };
}

interface Waiting {
  readonly settle: (answer: RpcOutcome) => void;
}

interface AskOptions {
  /** Cancels the request, and tells the other side. */
  readonly signal?: AbortSignal;
}

/** Sends requests to one side under our own numbers, so that it can answer only those. */
export class Outgoing {
  readonly #send: (message: JSONRPCMessage) => unknown;
  readonly #waiting = new Map<Id, Waiting>();
  #last = 0;
  #ended: RpcOutcome | undefined;

  constructor(send: (message: JSONRPCMessage) => unknown) {
    this.#send = send;
  }

  /** Never rejects. */
  ask(method: string, params: Params, { signal }: AskOptions = {}): Promise<RpcOutcome> {
    if (this.#ended !== undefined) return Promise.resolve(this.#ended);
    const id = (this.#last += 1);
    return new Promise((resolve) => {
      const giveUp = (): void => {
        if (!this.#waiting.delete(id)) return;
        this.#send(notificationOf({ method: 'notifications/cancelled', params: { requestId: id } }));
        resolve(rpcError(codes.refused, 'the request was cancelled'));
      };
      const settle = (answer: RpcOutcome): void => {
        signal?.removeEventListener('abort', giveUp);
        resolve(answer);
      };
      if (signal?.aborted === true) return settle(rpcError(codes.refused, 'the request was cancelled'));
      signal?.addEventListener('abort', giveUp, { once: true });
      this.#waiting.set(id, { settle });
      this.#send(rpcRequest({ id, method, params }));
    });
  }

  /** Drops an answer to no request. */
  answered(id: Id | undefined, answer: RpcOutcome): void {
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    if (waiting === undefined || id === undefined) return;
    this.#waiting.delete(id);
    waiting.settle(answer);
  }

  /** Gives this answer to all waiting requests. */
  failAll(answer: RpcOutcome): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { settle } of waiting) settle(answer);
  }

  /** Gives this answer to all waiting and later requests. */
  end(answer: RpcOutcome): void {
    this.#ended = answer;
    this.failAll(answer);
  }
}
