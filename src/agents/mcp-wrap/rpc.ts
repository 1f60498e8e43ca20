import type { JSONRPCMessage } from '@modelcontextprotocol/server';

export type Id = string | number;
export type Params = Readonly<Record<string, unknown>>;

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** What a request came to. */
export type Answer = { readonly result: Params } | { readonly error: RpcError };

export interface Request {
  readonly id: Id;
  readonly method: string;
  readonly params: Params;
}

export interface Notification {
  readonly method: string;
  readonly params: Params;
}

/** A message by what it is. */
export type Message =
  | ({ readonly kind: 'request' } & Request)
  | ({ readonly kind: 'notification' } & Notification)
  | { readonly kind: 'answer'; readonly id: Id | undefined; readonly answer: Answer };

/** Of JSON-RPC 2.0, and of the range that it leaves to servers. */
export const codes = {
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
  serverEnded: -32_000,
  refused: -32_001,
  tooLong: -32_002,
} as const;

export function messageOf(message: JSONRPCMessage): Message {
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

export function answerTo(id: Id, answer: Answer): JSONRPCMessage {
  return { jsonrpc: '2.0', id, ...answer } as JSONRPCMessage;
}

export function requestOf({ id, method, params }: Request): JSONRPCMessage {
  return { jsonrpc: '2.0', id, method, params } as JSONRPCMessage;
}

export function notificationOf({ method, params }: Notification): JSONRPCMessage {
  return { jsonrpc: '2.0', method, params } as JSONRPCMessage;
}

export function failed(code: number, message: string): Answer {
  return { error: { code, message } };
}
