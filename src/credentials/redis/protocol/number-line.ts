import { limits } from './limits.ts';
import { RespViolation } from './violation.ts';

/** Where a line with a number ends, behind CR and LF; -1: it has not come as a whole. */
export function endOfNumber(bytes: Buffer, start: number): number {
  let at = start;
  for (;;) {
    const byte = bytes[at];
    if (byte === undefined) break;
    if (byte < 0x30 || byte > 0x39) break;
    at += 1;
  }
  if (at - start > limits.digits) throw new RespViolation('too big count or length');
  if (at >= bytes.length) return -1;
  // One spelling for each number: Redis takes no other, and a proxy behind here might.
  if (at === start || (bytes[start] === 0x30 && at - start > 1) || bytes[at] !== 0x0d) throw new RespViolation('invalid count or length');
  if (at + 1 >= bytes.length) return -1;
  // Redis skips the octet behind CR, whatever it is.
  if (bytes[at + 1] !== 0x0a) throw new RespViolation('a count or length does not end with CR LF');
  return at + 2;
}

/** The number in a line that `endOfNumber` has found the end of. */
export function numberIn(bytes: Buffer, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end - 2; at += 1) value = value * 10 + ((bytes[at] ?? 0x30) - 0x30);
  return value;
}
