/** Most of it must be text: a stray selector is no message. */
const leastBytes = 2;
const leastTextShare = 0.75;

/** The bytes as UTF-8, if that gives a text. A character that the end cuts off is left out. */
export function textOfBytes(bytes: Uint8Array): string | undefined {
  if (bytes.length < leastBytes) return undefined;
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true });
  const chars = [...text];
  const readable = chars.filter(isReadable).length;
  return chars.length > 0 && readable >= chars.length * leastTextShare ? text : undefined;
}

function isReadable(char: string): boolean {
  const point = char.codePointAt(0)!;
  return point !== 0xfffd && (point >= 0x20 || point === 0x0a || point === 0x09) && !(point >= 0x7f && point < 0xa0);
}
