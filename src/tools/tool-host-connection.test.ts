import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { encodeFrame } from './protocol/encode-frame.ts';
import type { FromHost } from './protocol/messages.ts';
import { ToolHostConnection } from './tool-host-connection.ts';

const output = (text: string): FromHost => ({ kind: 'output', data: Buffer.from(text).toString('base64'), afterwards: 'stays' });
const log: FromHost = { kind: 'log', level: 'info', text: 'line' };
const ready: FromHost = { kind: 'ready', version: 1 };

/** A program whose words are ours. */
function connected() {
  const stdout = new PassThrough();
  const state = { ended: 0 };
  const connection = new ToolHostConnection({ stdin: new PassThrough(), stdout, ended: new Promise(() => undefined), end: () => void (state.ended += 1), patience: 0 });
  return { connection, state, say: (...messages: readonly FromHost[]) => new Promise((resolve) => stdout.write(Buffer.concat(messages.map((message) => encodeFrame(message))), resolve)) };
}

test('what a program says in its turn comes in order, lines of its log before an answer', async () => {
  const { connection, say, state } = connected();
  await say(ready);
  expect(await connection.next()).toEqual(ready);
  for (const text of ['one', 'two']) {
    connection.send({ kind: 'run', input: '' });
    await say(log, log, output(text));
    expect([await connection.next(), await connection.next(), await connection.next()]).toEqual([log, log, output(text)]);
  }
  expect([connection.isEnded, state.ended]).toEqual([false, 0]);
});

test.each([
  ['an answer to the next call', output('forged')],
  ['a line of a log', log],
  ['a call', { kind: 'call', what: 'readFile', path: 'a' }],
] as const)('%s that comes when nothing was asked ends the box', async (_, message) => {
  const { connection, say, state } = connected();
  await say(ready);
  await connection.next();
  connection.send({ kind: 'run', input: '' });
  await say(output('honest'));
  expect(await connection.next()).toEqual(output('honest'));
  await say(message);
  connection.send({ kind: 'run', input: '' });
  await expect(connection.next()).rejects.toThrow(/nobody asked/u);
  expect([connection.isEnded, state.ended]).toEqual([true, 1]);
});
