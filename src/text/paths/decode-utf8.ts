/** A text that was valid UTF-8, or one byte (0x80–0xff) that was not. */
export type PathPart = string | number;

/** Paths on Linux are bytes, and not all of them are text. Only the shortest forms of UTF-8 are, and no surrogates. */
export function decodeUtf8(bytes: Uint8Array): readonly PathPart[] {
  const parts: PathPart[] = [];
  let start = 0;
  let at = 0;
  const flush = () => {
    if (at > start) parts.push(decoder.decode(bytes.subarray(start, at)));
  };
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    flush();
    parts.push(bytes[at]!);
    start = ++at;
  }
  flush();
  return parts;
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** How many bytes the character at `at` has, or 0 if there is none. Ranges are those of table 3-7 of the Unicode Standard. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return 1;
  const form = forms.find(({ from, to }) => first >= from && first <= to);
  if (form === undefined) return 0;
  const second = bytes[at + 1] ?? 0;
  if (second < form.least || second > form.most) return 0;
  for (let index = 2; index < form.length; index++) {
    if ((bytes[at + index] ?? 0) >> 6 !== 0b10) return 0;
  }
  return form.length;
}

const forms = [
  { from: 0xc2, to: 0xdf, length: 2, least: 0x80, most: 0xbf },
  { from: 0xe0, to: 0xe0, length: 3, least: 0xa0, most: 0xbf },
  { from: 0xe1, to: 0xec, length: 3, least: 0x80, most: 0xbf },
  { from: 0xed, to: 0xed, length: 3, least: 0x80, most: 0x9f },
  { from: 0xee, to: 0xef, length: 3, least: 0x80, most: 0xbf },
  { from: 0xf0, to: 0xf0, length: 4, least: 0x90, most: 0xbf },
  { from: 0xf1, to: 0xf3, length: 4, least: 0x80, most: 0xbf },
  { from: 0xf4, to: 0xf4, length: 4, least: 0x80, most: 0x8f },
] as const;
