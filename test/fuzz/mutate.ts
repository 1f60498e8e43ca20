import type { Random } from '../differential/random.ts';

/**
 * Contents of edited texts, and their replacements: shorter, longer, and with every character that JSON and streams
 * escape.
 */
export const marker = 'MARKER';
export const replacements = ['', 'm', `"\\\n\r\u2028\ud83d\ude00${'long '.repeat(20)}`, '\ud800', 'MARKER2'] as const;

/** Pieces that make the formats' boundaries likely. */
const tokens: readonly Buffer[] = [
  '\n',
  '\r',
  '\r\n',
  '\n\n',
  '\r\r',
  '\r\n\r\n',
  ':',
  ': ',
  'data:',
  'data: ',
  'event: x\n',
  'id',
  'retry: 1\n',
  ': alive\n\n',
  'data: [DONE]\n\n',
  'data: {"a":"MARKER"}\n\n',
  '"',
  '\\',
  '\\"',
  '\\\\',
  '\\u004dARKER',
  '\\u00',
  '\\ud83d',
  '\\uD83D\\uDE00',
  '\\ud800',
  '\\x',
  '{',
  '}',
  '[',
  ']',
  ',',
  '"a":',
  '{"a":',
  '"MARKER"',
  '"MARKER":',
  'MARKER',
  'MARK',
  '"__proto__":',
  '0',
  '-',
  '-0',
  '1e400',
  '1E+2',
  '.5',
  '01',
  '12345678901234567890123',
  'null',
  'true',
  'nul',
  '\t',
  ' ',
  '\0',
  'é',
  '日',
  '😀',
  '\ufeff',
  '\u2028',
  '\u0085',
  '/* */',
  'NaN',
  '[['.repeat(300),
  '{"a":'.repeat(300),
].map((text) => Buffer.from(text));
const broken = [
  Buffer.of(0xff),
  Buffer.of(0xc3),
  Buffer.of(0xef, 0xbb),
  Buffer.of(0x80),
  Buffer.of(0xed, 0xa0, 0x80),
  Buffer.of(0xc0, 0xaf),
  Buffer.of(0xf4, 0x90, 0x80, 0x80),
];

type Change = (bytes: Buffer, random: Random) => Buffer;

const changes: readonly Change[] = [
  (bytes, random) => put(bytes, place(bytes, random), random.pick(tokens)),
  (bytes, random) => put(bytes, place(bytes, random), random.pick(tokens)),
  (bytes, random) => put(bytes, place(bytes, random), random.pick(broken)),
  (bytes, random) => {
    const [start, end] = range(bytes, random);
    return Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]);
  },
  (bytes, random) => {
    const [start, end] = range(bytes, random);
    return put(bytes, place(bytes, random), bytes.subarray(start, end));
  },
  (bytes, random) => bytes.subarray(0, place(bytes, random)),
  (bytes, random) => {
    const copy = Buffer.from(bytes);
    if (copy.length > 0) copy[random.below(copy.length)] = random.below(256);
    return copy;
  },
  (bytes, random) => {
    const [start, end] = range(bytes, random);
    return Buffer.concat([
      bytes.subarray(0, start),
      ...Array.from({ length: random.below(30) }, () => bytes.subarray(start, Math.min(end, start + 20))),
      bytes.subarray(end),
    ]);
  },
];

/** The same bytes, changed in none to six places. */
export function mutated(bytes: Buffer, random: Random): Buffer {
  let all = bytes;
  for (let left = random.below(7); left > 0; left -= 1) all = random.pick(changes)(all, random);
  return all;
}

const oddValues: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  -0,
  1.5,
  1e15,
  Number.POSITIVE_INFINITY,
  '',
  'MARKER',
  'x MARKER y',
  '12',
  [],
  {},
  [[]],
  { type: 'text', text: 'MARKER' },
  ['MARKER'],
  '__proto__',
  'constructor',
  1e21,
  Number.MAX_SAFE_INTEGER,
];

/** The same value, with random members replaced, removed or doubled. Changes its argument. */
export function damaged(value: unknown, random: Random): unknown {
  const places = holders(value);
  for (let left = random.below(4); left > 0 && places.length > 0; left -= 1) {
    const [holder, key] = random.pick(places);
    if (Array.isArray(holder) && random.chance(0.3)) holder.push(structuredClone(holder[Number(key)]));
    else if (random.chance(0.2)) delete holder[key];
    else if (typeof holder[key] === 'string' && random.chance(0.5))
      holder[key] = `${String(holder[key])}${random.pick(['MARKER', 'é', '"', '\\', '\ud800', 'MAR', 'KER'])}`;
    else holder[key] = structuredClone(random.pick(oddValues));
  }
  return value;
}

function holders(value: unknown): readonly (readonly [Record<string, unknown>, string])[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((key) => [[holder, key] as const, ...holders(holder[key])]);
}

function put(bytes: Buffer, at: number, more: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, at), more, bytes.subarray(at)]);
}

function place(bytes: Buffer, random: Random): number {
  return random.below(bytes.length + 1);
}

function range(bytes: Buffer, random: Random): readonly [number, number] {
  const start = place(bytes, random);
  return [start, Math.min(bytes.length, start + random.below(random.chance(0.5) ? 8 : 200))];
}
