import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { rounds } from '../../../scripts/testing/extent.ts';
import { encodeForwarded, ForwardFrames } from './forward-frames.ts';

const port = 0x1f_90;
const frame = (channel: number, ...bytes: readonly number[]): Buffer => Buffer.of(channel, ...bytes);

test('the port comes first in little endian, in one message or in two', () => {
  const whole = new ForwardFrames(port);
  expect(whole.take(frame(0, 0x90, 0x1f, 1, 2))).toEqual({ kind: 'data', bytes: Buffer.of(1, 2) });
  expect(whole.take(frame(0, 3))).toEqual({ kind: 'data', bytes: Buffer.of(3) });
  const parts = new ForwardFrames(port);
  expect(parts.take(frame(0, 0x90))).toEqual({ kind: 'data', bytes: Buffer.alloc(0) });
  expect(parts.take(frame(0, 0x1f))).toEqual({ kind: 'data', bytes: Buffer.alloc(0) });
  expect(parts.take(frame(0, 7))).toEqual({ kind: 'data', bytes: Buffer.of(7) });
});

test.each<[string, Buffer]>([
  ['another port', frame(0, 0x1f, 0x90)],
  ['another port', frame(1, 0x91, 0x1f)],
  ['the channel 2', frame(2, 0x90, 0x1f)],
  ['the channel 255', frame(255, 0)],
  ['an empty message', Buffer.alloc(0)],
])('%s is a lie', (what, message) => {
  const found = new ForwardFrames(port).take(message);
  expect(found).toMatchObject({ kind: 'lie', what: expect.stringContaining(what) as unknown });
});

test('an error is one line, also as a Status, and an endless one is a lie', () => {
  const frames = new ForwardFrames(port);
  expect(frames.take(frame(1, 0x90, 0x1f))).toEqual({ kind: 'error' });
  expect(frames.error).toBe('');
  frames.take(Buffer.concat([Buffer.of(1), Buffer.from('cannot\nconnect\u001b[2J')]));
  expect(frames.error).toBe('cannot connect [2J');
  const long = Buffer.concat([Buffer.of(1), Buffer.alloc(30_000, 'x')]);
  const kinds = Array.from({ length: 3 }, () => frames.take(long).kind);
  expect(kinds).toEqual(['error', 'error', 'lie']);
  expect(frames.error.length).toBeLessThanOrEqual(300);
  const status = new ForwardFrames(port);
  status.take(Buffer.concat([frame(1, 0x90, 0x1f), Buffer.from('{"kind":"Status","message":"no pod"}')]));
  expect(status.error).toBe('no pod');
});

test('for any messages, the bytes of the data channel come in order or the connection is a lie', () => {
  const message = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc.uint8Array({ maxLength: 40 }).map((bytes) => Uint8Array.of(0, ...bytes)),
    fc.uint8Array({ maxLength: 40 }).map((bytes) => Uint8Array.of(1, ...bytes)),
  );
  fc.assert(
    fc.property(fc.array(message), (messages) => {
      const frames = new ForwardFrames(port);
      const got: Buffer[] = [];
      const sent: Buffer[] = [Buffer.alloc(0)];
      for (const each of [frame(0, 0x90, 0x1f), frame(1, 0x90, 0x1f), ...messages.map((bytes) => Buffer.from(bytes))]) {
        const found = frames.take(each);
        if (found.kind === 'lie') {
          expect(each.length === 0 || (each[0] ?? 0) > 1).toBe(true);
          break;
        }
        if (each[0] === 0) sent.push(each.subarray(1));
        if (found.kind === 'data') got.push(found.bytes);
      }
      expect(Buffer.concat(got)).toEqual(Buffer.concat(sent).subarray(2));
      expect(frames.error).not.toMatch(/[\p{C}\r\n]/u);
    }),
    { numRuns: rounds(2000) },
  );
});

test('any first messages throw nothing, and at most 300 letters of an error are kept', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 3000 }), { maxLength: 40 }), (messages) => {
      const frames = new ForwardFrames(port);
      for (const bytes of messages) frames.take(Buffer.from(bytes));
      expect(frames.error.length).toBeLessThanOrEqual(300);
    }),
    { numRuns: rounds(300) },
  );
});

test('data of this side goes to the data channel', () => {
  expect(encodeForwarded(Buffer.of(9))).toEqual(Buffer.of(0, 9));
});
