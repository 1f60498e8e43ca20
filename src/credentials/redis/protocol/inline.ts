import { RespViolation } from './violation.ts';

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
    else if (byte === '\\' && at + 1 < text.length) octets.push(escapes[text.charAt(at + 1)] ?? text.charCodeAt(at + 1));
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
