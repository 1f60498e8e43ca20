/** A kernel as distributions ship it: a small loader with the kernel proper, compressed, in it. */
export interface BzImage {
  readonly kind: 'found';
  /** As `uname -r` says it. */
  readonly version: string;
  readonly compression: Compression;
  /** What to decompress. */
  readonly payload: Buffer;
  /** Bytes of the kernel proper. */
  readonly size: number;
}

export type Compression = 'xz' | 'zstd' | 'gzip';

export interface NoBzImage {
  readonly kind: 'invalid';
  readonly why: string;
}

/** Total over hostile bytes. The fields are those of "The Linux/x86 Boot Protocol" of the kernel's documentation. */
export function readBzImage(bytes: Buffer): BzImage | NoBzImage {
  if (bytes.length < 0x260 || bytes.toString('latin1', 0x202, 0x206) !== 'HdrS')
    return invalid('it has no header of the x86 boot protocol');
  if (bytes.readUInt16LE(0x206) < oldestProtocol) return invalid('its boot protocol is older than 2.08');
  const start = ((bytes.readUInt8(0x1f1) || 4) + 1) * 512 + bytes.readUInt32LE(0x248);
  const length = bytes.readUInt32LE(0x24c);
  if (length < 32 || start + length > bytes.length) return invalid('it is shorter than its header says');
  const version = versionOf(bytes);
  if (version === undefined) return invalid('it names no version');
  return payloadOf(bytes.subarray(start, start + length), version);
}

const oldestProtocol = 0x208;
/** Of names of versions in the kernel. */
const longestVersion = 64;

const beginnings: readonly { readonly compression: Compression; readonly magic: Buffer }[] = [
  { compression: 'xz', magic: Buffer.from('fd377a585a00', 'hex') },
  { compression: 'zstd', magic: Buffer.from('28b52ffd', 'hex') },
  { compression: 'gzip', magic: Buffer.from('1f8b', 'hex') },
];

/**
 * The last four bytes are the size of what is compressed: gzip has them of its own, for the others the kernel's build
 * appends them.
 */
function payloadOf(bytes: Buffer, version: string): BzImage | NoBzImage {
  const known = beginnings.find(({ magic }) => bytes.subarray(0, magic.length).equals(magic));
  if (known === undefined)
    return invalid(`its compression is none of ${beginnings.map(({ compression }) => compression).join(', ')}`);
  const payload = known.compression === 'gzip' ? bytes : bytes.subarray(0, -4);
  return {
    kind: 'found',
    version,
    compression: known.compression,
    payload,
    size: bytes.readUInt32LE(bytes.length - 4),
  };
}

function versionOf(bytes: Buffer): string | undefined {
  const offset = bytes.readUInt16LE(0x20e) + 0x200;
  return /^[\w.+~-]{1,64}(?= )/u.exec(bytes.toString('latin1', offset, offset + longestVersion + 1))?.[0];
}

function invalid(why: string): NoBzImage {
  return { kind: 'invalid', why };
}
