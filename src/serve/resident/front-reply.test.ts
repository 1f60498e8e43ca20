import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeFrontReply, type FrontReply } from './front-reply.ts';

/** As native/src/front/reply.c and supervisor.c read it. */
function decode(bytes: Buffer): FrontReply {
  const [kind, length] = [bytes.toString('latin1', 0, 1), bytes.readUInt32LE(1)];
  expect(length).toBe(bytes.length - 5);
  expect(length).toBeLessThanOrEqual(1024 * 1024);
  if (kind === 'c') return { kind: 'cold' };
  if (kind === 's') return { kind: 'said', status: bytes[5] ?? -1, text: bytes.toString('utf8', 6) };
  return { kind: 'box', text: bytes.toString('utf8', 5) };
}

const text = fc.string({ unit: 'grapheme' }).filter((word) => word.isWellFormed());
const replies = fc.oneof(
  fc.constant({ kind: 'cold' } as const),
  fc.record({ kind: fc.constant('said' as const), text, status: fc.nat(255) }),
  fc.record({ kind: fc.constant('box' as const), text }),
);

describe('a reply to a front', () => {
  test('is decoded as it was encoded', () => {
    fc.assert(
      fc.property(replies, (reply: FrontReply) => {
        expect(decode(encodeFrontReply(reply))).toEqual(reply);
      }),
    );
  });

  test('is never longer than a front accepts: a long text loses its end', () => {
    for (const kind of ['said', 'box'] as const) {
      const bytes = encodeFrontReply({ kind, text: 'ä'.repeat(1 << 20), status: 9 } as FrontReply);
      expect(bytes.length).toBe(5 + (1 << 20));
      expect(decode(bytes)).toMatchObject({ kind });
    }
  });
});
