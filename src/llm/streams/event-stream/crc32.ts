/** The reversed polynomial of CRC-32: RFC 1952 §8. */
const polynomial = 0xedb88320;
const lanes = 8;
const tables = makeTables();

/** The CRC-32 of gzip over `bytes` from `start` to `end`, as an unsigned number. Eight octets at a time: https://create.stephan-brumme.com/crc32/#slicing-by-8-overview */
export function crc32(bytes: Uint8Array, start = 0, end = bytes.length): number {
  let crc = -1;
  let at = start;
  for (const last = end - lanes; at <= last; at += lanes) {
    const low = crc ^ ((bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24));
    crc =
      (tables[0x700 | (low & 0xff)] ?? 0) ^
      (tables[0x600 | ((low >>> 8) & 0xff)] ?? 0) ^
      (tables[0x500 | ((low >>> 16) & 0xff)] ?? 0) ^
      (tables[0x400 | (low >>> 24)] ?? 0) ^
      (tables[0x300 | (bytes[at + 4] ?? 0)] ?? 0) ^
      (tables[0x200 | (bytes[at + 5] ?? 0)] ?? 0) ^
      (tables[0x100 | (bytes[at + 6] ?? 0)] ?? 0) ^
      (tables[bytes[at + 7] ?? 0] ?? 0);
  }
  for (; at < end; at += 1) crc = (crc >>> 8) ^ (tables[(crc ^ (bytes[at] ?? 0)) & 0xff] ?? 0);
  return (crc ^ -1) >>> 0;
}

/** Table n, of 256 values each, tells what an octet comes to with n more behind it. */
function makeTables(): Int32Array {
  const made = new Int32Array(lanes * 0x100);
  for (let octet = 0; octet < 0x100; octet += 1) {
    let crc = octet;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 1) === 0 ? crc >>> 1 : (crc >>> 1) ^ polynomial;
    made[octet] = crc;
  }
  for (let at = 0x100; at < made.length; at += 1) {
    const shorter = made[at - 0x100] ?? 0;
    made[at] = (shorter >>> 8) ^ (made[shorter & 0xff] ?? 0);
  }
  return made;
}
