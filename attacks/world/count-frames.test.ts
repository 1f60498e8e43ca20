import { expect, test } from 'vitest';
import { framesIn } from './count-frames.ts';

const ping = Buffer.from([0, 0, 2, 6, 0, 0, 0, 0, 0, 1, 2]);
const settings = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);

test('whole frames are counted, and the rest is kept for the next bytes', () => {
  const bytes = Buffer.concat([ping, settings, ping]);
  expect(framesIn(bytes)).toEqual({ types: [6, 4, 6], rest: Buffer.alloc(0) });
  for (let cut = 0; cut <= bytes.length; cut++) {
    const first = framesIn(bytes.subarray(0, cut));
    const second = framesIn(Buffer.concat([first.rest, bytes.subarray(cut)]));
    expect([...first.types, ...second.types]).toEqual([6, 4, 6]);
  }
});
