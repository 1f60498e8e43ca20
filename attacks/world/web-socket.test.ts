import { expect, test } from 'vitest';
import { acceptSocket, payloadsIn } from './web-socket.ts';

const mask = Buffer.from([1, 2, 3, 4]);

function frame(text: string): Buffer {
  const payload = Buffer.from(Buffer.from(text).map((byte, at) => byte ^ (mask[at % 4] ?? 0)));
  const length = payload.length < 126 ? [0x80 | payload.length] : [0xfe, payload.length >> 8, payload.length & 255];
  return Buffer.concat([Buffer.from([0x81, ...length]), mask, payload]);
}

test('frames are read without their mask', () => {
  const long = 'x'.repeat(300);
  const bytes = Buffer.concat([frame('one'), frame(long), frame('three')]);
  expect(payloadsIn(bytes)).toEqual({ payloads: ['one', long, 'three'], rest: Buffer.alloc(0) });
  expect(payloadsIn(bytes.subarray(0, -1)).payloads).toEqual(['one', long]);
  expect(payloadsIn(Buffer.alloc(1)).payloads).toEqual([]);
});

test('a client is answered as the example of RFC 6455 §1.3 says', () => {
  expect(acceptSocket('dGhlIHNhbXBsZSBub25jZQ==')).toContain('Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n');
});
