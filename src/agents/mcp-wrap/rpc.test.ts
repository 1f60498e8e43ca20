import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { describe, expect, test } from 'vitest';
import { rpcError, Outgoing } from './rpc.ts';

function started(): { readonly sent: JSONRPCMessage[]; readonly outgoing: Outgoing } {
  const sent: JSONRPCMessage[] = [];
  return { sent, outgoing: new Outgoing((message) => sent.push(message)) };
}

describe('requests to the other side', () => {
  test('are answered by their own number, once; anything else answers nothing', async () => {
    const { sent, outgoing } = started();
    const first = outgoing.ask('a', {});
    const second = outgoing.ask('b', { x: 1 });
    expect(sent).toEqual([
      { jsonrpc: '2.0', id: 1, method: 'a', params: {} },
      { jsonrpc: '2.0', id: 2, method: 'b', params: { x: 1 } },
    ]);
    for (const id of [3, '1', undefined]) outgoing.answered(id, { result: { forged: true } });
    outgoing.answered(2, { result: { of: 2 } });
    outgoing.answered(2, { result: { of: 'again' } });
    outgoing.answered(1, rpcError(1, 'no'));
    expect(await second).toEqual({ result: { of: 2 } });
    expect(await first).toEqual({ error: { code: 1, message: 'no' } });
  });

  test('are cancelled with a notice when abandoned, and a late answer is dropped', async () => {
    const { sent, outgoing } = started();
    const controller = new AbortController();
    const asked = outgoing.ask('a', {}, { signal: controller.signal });
    controller.abort();
    outgoing.answered(1, { result: {} });
    expect(await asked).toMatchObject({ error: { message: 'the request was cancelled' } });
    expect(sent.at(-1)).toEqual({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
  });

  test('that were given up before are not sent', async () => {
    const { sent, outgoing } = started();
    expect(await outgoing.ask('a', {}, { signal: AbortSignal.abort() })).toMatchObject({
      error: { message: 'the request was cancelled' },
    });
    expect(sent).toEqual([]);
  });

  test('all end when the other side does, also those that come later', async () => {
    const { sent, outgoing } = started();
    const waiting = outgoing.ask('a', {});
    outgoing.end(rpcError(7, 'gone'));
    expect(await waiting).toEqual(rpcError(7, 'gone'));
    expect(await outgoing.ask('b', {})).toEqual(rpcError(7, 'gone'));
    expect(sent).toHaveLength(1);
  });
});
