/** How many bytes at the end begin a character of UTF-8 that is not all there: 0 to 3. */
export function unfinishedBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] as number;
    if (byte >= 0xc0) return lengthOf(byte) > back ? back : 0;
    if (byte < 0x80) return 0;
  }
  return 0;
}

function lengthOf(lead: number): number {
  if (lead >= 0xf5) return 1;
  if (lead >= 0xf0) return 4;
  return lead >= 0xe0 ? 3 : 2;
}
