import { type JSONRPCMessage, parseJSONRPCMessage } from '@modelcontextprotocol/server';

type Id = string | number;

/** A line as JSON-RPC 2.0 reads it: a message, or the error that answers it. */
export type ReadMessage = { readonly kind: 'message'; readonly message: JSONRPCMessage } | { readonly kind: 'invalid'; readonly id: Id | null; readonly error: RpcError };

export interface RpcError {
  readonly code: number;
  readonly message: string;
}

/** Of JSON-RPC 2.0. */
const [parseError, invalidRequest] = [-32_700, -32_600];

export function readMessage(line: string): ReadMessage {
  const value = parsed(line);
  if (value === undefined) return invalid(null, parseError, 'this line is no JSON');
  if (Array.isArray(value)) return invalid(null, invalidRequest, 'batches are no part of the protocol: send each message on a line of its own');
  try {
    return { kind: 'message', message: parseJSONRPCMessage(value) };
  } catch {
    return invalid(idOf(value), invalidRequest, 'this is no message of JSON-RPC 2.0');
  }
}

export function tooLong(longest: number): ReadMessage {
  return invalid(null, parseError, `a line has more than ${longest} bytes`);
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}

function invalid(id: Id | null, code: number, message: string): ReadMessage {
  return { kind: 'invalid', id, error: { code, message } };
}

/** What a request that is wrong elsewhere is answered by. */
function idOf(value: unknown): Id | null {
  if (typeof value !== 'object' || value === null || !('id' in value) || !('method' in value)) return null;
  return typeof value.id === 'string' || typeof value.id === 'number' ? value.id : null;
}
