import { splitInline } from './inline.ts';
import { limits } from './limits.ts';
import { endOfNumber, numberIn } from './number-line.ts';
import { RespViolation } from './violation.ts';

/** A command with all that belongs to it. Without arguments: a blank line, which nothing is answered to. */
export interface WholeCommand {
  readonly args: readonly Buffer[];
  /** Offset behind it. */
  readonly end: number;
}

const asterisk = 0x2a;
const dollar = 0x24;

/** The command that begins at `start`, of at most `limits.whole` octets; undefined: it has not come as a whole. */
export function readWholeCommand(bytes: Buffer, start: number): WholeCommand | undefined {
  const read = bytes[start] === asterisk ? readArray(bytes, start) : readLine(bytes, start);
  const length = (read?.end ?? bytes.length) - start;
  if (length > limits.whole) throw new RespViolation('too big inline request or login');
  return read;
}

function readLine(bytes: Buffer, start: number): WholeCommand | undefined {
  const lineEnd = bytes.indexOf(0x0a, start);
  if (lineEnd < 0) return undefined;
  const last = lineEnd > start && bytes[lineEnd - 1] === 0x0d ? lineEnd - 1 : lineEnd;
  return { args: splitInline(bytes.subarray(start, last)), end: lineEnd + 1 };
}

function readArray(bytes: Buffer, start: number): WholeCommand | undefined {
  const args: Buffer[] = [];
  let at = endOfNumber(bytes, start + 1);
  if (at < 0) return undefined;
  const count = numberIn(bytes, start + 1, at);
  if (count > limits.whole) throw new RespViolation('invalid multibulk length');
  while (args.length < count) {
    if (at >= bytes.length) return undefined;
    if (bytes[at] !== dollar) throw new RespViolation("expected '$'");
    const from = endOfNumber(bytes, at + 1);
    if (from < 0) return undefined;
    const to = from + numberIn(bytes, at + 1, from);
    if (to - from > limits.whole) throw new RespViolation('invalid bulk length');
    if (to + 2 > bytes.length) return undefined;
    if (bytes[to] !== 0x0d || bytes[to + 1] !== 0x0a) throw new RespViolation('a bulk string does not end with CR LF');
    args.push(bytes.subarray(from, to));
    at = to + 2;
  }
  return { args, end: at };
}
