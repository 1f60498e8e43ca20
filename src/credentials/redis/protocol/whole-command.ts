/** A whole command. Without arguments it is a blank line, which gets no answer. */
export interface WholeCommand {
  readonly args: readonly Buffer[];
  /** Offset after the command. */
  readonly end: number;
}

const asterisk = 0x2a;
const dollar = 0x24;

/** Returns the command that begins at `start`, of at most `redisLimits.whole` octets. Undefined if it is incomplete. */
export function readWholeCommand(bytes: Buffer, start: number): WholeCommand | undefined {
  const read = bytes[start] === asterisk ? readArray(bytes, start) : readLine(bytes, start);
  const length = (read?.end ?? bytes.length) - start;
  if (length > redisLimits.whole) throw new RespViolation('too big inline request or login');
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
  let at = redisNumberEnd(bytes, start + 1);
  if (at < 0) return undefined;
  const count = numberIn(bytes, start + 1, at);
  if (count > redisLimits.whole) throw new RespViolation('invalid multibulk length');
  while (args.length < count) {
    if (at >= bytes.length) return undefined;
    if (bytes[at] !== dollar) throw new RespViolation("expected '$'");
    const from = redisNumberEnd(bytes, at + 1);
    if (from < 0) return undefined;
    const to = from + numberIn(bytes, at + 1, from);
    if (to - from > redisLimits.whole) throw new RespViolation('invalid bulk length');
    if (to + 2 > bytes.length) return undefined;
    if (bytes[to] !== 0x0d || bytes[to + 1] !== 0x0a) throw new RespViolation('a bulk string does not end with CR LF');
    args.push(bytes.subarray(from, to));
    at = to + 2;
  }
  return { args, end: at };
}

const escapes: Readonly<Record<string, number>> = { n: 0x0a, r: 0x0d, t: 0x09, b: 0x08, a: 0x07 };
const blank = /[\0\t-\r ]/u;
const unbalanced = 'unbalanced quotes in request';

/**
 * Splits an inline command as `sdssplitargs` of Redis does, at blanks. `"` allows escapes, and `'` allows only `\'`.
 */
export function splitInline(line: Buffer): readonly Buffer[] {
  // One character for each octet.
  const text = line.toString('latin1');
  const args: Buffer[] = [];
  let at = 0;
  for (;;) {
    while (at < text.length && blank.test(text.charAt(at))) at += 1;
    if (at >= text.length) return args;
    const read = readArgument(text, at);
    args.push(Buffer.from(read.octets));
    at = read.end;
  }
}

interface Read {
  readonly octets: readonly number[];
  readonly end: number;
}

function readArgument(text: string, start: number): Read {
  const octets: number[] = [];
  let at = start;
  while (at < text.length && !blank.test(text.charAt(at))) {
    const quote = text.charAt(at);
    if (quote !== '"' && quote !== "'") {
      octets.push(text.charCodeAt(at));
      at += 1;
      continue;
    }
    const quoted = quote === '"' ? readDouble(text, at + 1) : readSingle(text, at + 1);
    octets.push(...quoted.octets);
    at = quoted.end;
    if (at < text.length && !blank.test(text.charAt(at))) throw new RespViolation(unbalanced);
  }
  return { octets, end: at };
}

function readDouble(text: string, start: number): Read {
  const octets: number[] = [];
  for (let at = start; at < text.length; ) {
    const byte = text.charAt(at);
    const hex = /^\\x([0-9a-fA-F]{2})/u.exec(text.slice(at, at + 4))?.[1];
    if (byte === '"') return { octets, end: at + 1 };
    if (hex !== undefined) octets.push(Number.parseInt(hex, 16));
    else if (byte === '\\' && at + 1 < text.length)
      octets.push(escapes[text.charAt(at + 1)] ?? text.charCodeAt(at + 1));
    else octets.push(text.charCodeAt(at));
    at += hex !== undefined ? 4 : byte === '\\' && at + 1 < text.length ? 2 : 1;
  }
  throw new RespViolation(unbalanced);
}

function readSingle(text: string, start: number): Read {
  const octets: number[] = [];
  for (let at = start; at < text.length; at += 1) {
    if (text.charAt(at) === "'") return { octets, end: at + 1 };
    if (text.startsWith("\\'", at)) at += 1;
    octets.push(text.charCodeAt(at));
  }
  throw new RespViolation(unbalanced);
}

/** Returns the offset after the CR LF of a line with a number, or -1 if the line is incomplete. */
export function redisNumberEnd(bytes: Buffer, start: number): number {
  let at = start;
  for (;;) {
    const byte = bytes[at];
    if (byte === undefined) break;
    if (byte < 0x30 || byte > 0x39) break;
    at += 1;
  }
  if (at - start > redisLimits.digits) throw new RespViolation('too big count or length');
  if (at >= bytes.length) return -1;
  // Accepts one spelling of each number. Redis does too, but a proxy between Holdfast and Redis might accept others.
  if (at === start || (bytes[start] === 0x30 && at - start > 1) || bytes[at] !== 0x0d)
    throw new RespViolation('invalid count or length');
  if (at + 1 >= bytes.length) return -1;
  // Redis skips the octet after CR, even if it is not LF.
  if (bytes[at + 1] !== 0x0a) throw new RespViolation('a count or length does not end with CR LF');
  return at + 2;
}

/** Returns the number in a line whose end `redisNumberEnd` has found. */
export function numberIn(bytes: Buffer, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end - 2; at += 1) value = value * 10 + ((bytes[at] ?? 0x30) - 0x30);
  return value;
}

/**
 * A client breaks the protocol. The error message contains none of its bytes, and is Redis's own message if Redis has
 * one.
 */
export class RespViolation extends Error {
  override readonly name = 'RespViolation';
}

/**
 * Octets, or numbers of arguments. Source: networking.c and server.h of Redis 7.0, except for Holdfast's own limits.
 */
export const redisLimits = {
  /** Default of `proto-max-bulk-len`. */
  bulk: 512 * 1024 * 1024,
  arguments: 1024 * 1024,
  /** Digits of a length. Redis accepts more, but no allowed length has more. */
  digits: 10,
  /** Holdfast's limit for a command that is read whole: a login, or an inline command. */
  whole: 16 * 1024,
  /** Holdfast's limit for the answer to a login. */
  line: 4096,
  /** Holdfast's limit for the name of a command. Longer names are unknown. */
  name: 64,
  /** Holdfast's limit for a key in the journal. */
  key: 200,
} as const;
