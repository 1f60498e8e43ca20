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

/** Splits an inline command as `sdssplitargs` of Redis does: blanks, `"` with escapes, `'` with `\'` alone. */
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

/** Where a line with a number ends, behind CR and LF; -1: it has not come as a whole. */
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
  // One spelling for each number: Redis takes no other, and a proxy behind here might.
  if (at === start || (bytes[start] === 0x30 && at - start > 1) || bytes[at] !== 0x0d)
    throw new RespViolation('invalid count or length');
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

/**
 * A client does not keep to the protocol. Its message holds nothing that was sent, and is what Redis says itself where
 * it says something.
 */
export class RespViolation extends Error {
  override readonly name = 'RespViolation';
}

/** Octets, or numbers of arguments. Source: networking.c and server.h of Redis 7.0, where not said otherwise. */
export const redisLimits = {
  /** `proto-max-bulk-len`, its default. */
  bulk: 512 * 1024 * 1024,
  arguments: 1024 * 1024,
  /** Digits of a length; Redis takes more, and none that is allowed has them. */
  digits: 10,
  /** Of a command that is read as a whole: a login, or one that is written inline. Ours. */
  whole: 16 * 1024,
  /** Of the answer to a login. Ours. */
  line: 4096,
  /** The longest name of a command; every longer one is unknown. Ours. */
  name: 64,
  /** Of a key, for the journal. Ours. */
  key: 200,
} as const;
