import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dial } from './dial.ts';
import { type Finder, readUntil } from './read-until.ts';
import { readAll, serve, socketOf, vettedOf } from './testing/loopback.ts';

const line: Finder<string> = (bytes) => {
  if (bytes[0] === 0) return 'malformed';
  const end = bytes.indexOf('\n');
  return end === -1 ? undefined : { result: bytes.toString('latin1', 0, end), end: end + 1 };
};

/** A paused socket to a server that says the pieces, one in each turn, and ends if it is told to. */
async function hearing(pieces: readonly (string | Uint8Array)[], then: 'end' | 'stay' | 'reset' = 'end') {
  const { port } = await serve((socket) => {
    void (async () => {
      for (const piece of pieces) {
        socket.write(piece);
        await new Promise((resolve) => setImmediate(resolve));
      }
      if (then === 'end') socket.end();
      if (then === 'reset') setTimeout(() => socket.resetAndDestroy(), 10);
    })();
  });
  return socketOf(await dial(vettedOf(port, '127.0.0.1')));
}

describe('a message', () => {
  test.each([
    [['hello\n'], 'hello', ''],
    [['hello\nrest'], 'hello', 'rest'],
    [['he', 'llo', '\n'], 'hello', ''],
    [['hello', '\nre', 'st'], 'hello', 're'],
    [['\n'], '', ''],
  ])('in pieces %j', async (pieces, result, rest) => {
    const read = await readUntil(await hearing(pieces, 'stay'), 100, line);
    expect(read).toMatchObject({ kind: 'done', result });
    expect(read.kind === 'done' ? read.rest.toString() : '').toMatch(new RegExp(`^${rest}`));
  });

  test('what follows stays in the socket, which is paused', async () => {
    const socket = await hearing(['one\n', 'two\n', 'three']);
    const first = await readUntil(socket, 100, line);
    expect(socket.isPaused()).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 30));
    if (first.kind === 'done') socket.unshift(first.rest);
    expect(await readUntil(socket, 100, line)).toMatchObject({ kind: 'done', result: 'two' });
  });

  test('however it is cut, nothing is lost', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.stringMatching(/^[a-z]{0,6}$/), { minLength: 1, maxLength: 6 }), fc.stringMatching(/^[a-z]{1,12}$/), async (pieces, rest) => {
        const socket = await hearing([...pieces, '\n', rest]);
        const read = await readUntil(socket, 100, line);
        expect(read).toMatchObject({ kind: 'done', result: pieces.join('') });
        const early = read.kind === 'done' ? read.rest : Buffer.alloc(0);
        if (early.length > 0) socket.unshift(early);
        expect(await readAll(socket)).toBe(rest);
      }),
      { numRuns: 40 },
    );
  });
});

describe('no message', () => {
  test('the other side ends', async () => {
    expect(await readUntil(await hearing(['half']), 100, line)).toEqual({ kind: 'ended' });
    expect(await readUntil(await hearing([]), 100, line)).toEqual({ kind: 'ended' });
  });

  test('the other side resets', async () => {
    expect(await readUntil(await hearing(['half'], 'reset'), 100, line)).toEqual({ kind: 'ended' });
  });

  test('the socket is gone already', async () => {
    const socket = await hearing([], 'stay');
    socket.destroy();
    expect(await readUntil(socket, 100, line)).toEqual({ kind: 'ended' });
  });

  test('it is too long', async () => {
    expect(await readUntil(await hearing(['x'.repeat(101)], 'stay'), 100, line)).toEqual({ kind: 'too long' });
    expect(await readUntil(await hearing(Array(200).fill('x'), 'stay'), 100, line)).toEqual({ kind: 'too long' });
  });

  test('it is malformed, at the first byte', async () => {
    expect(await readUntil(await hearing(['\0'], 'stay'), 100, line)).toEqual({ kind: 'malformed' });
  });
});
