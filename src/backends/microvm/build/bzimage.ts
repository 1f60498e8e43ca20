import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { imageError } from './image-error.ts';
import { runTool } from './run-tool.ts';

/** A kernel as distributions ship it: a small loader with the compressed kernel. */
export interface BzImage {
  readonly kind: 'found';
  /** Version, as in `uname -r`. */
  readonly version: string;
  readonly compression: KernelCompression;
  /** The compressed kernel. */
  readonly payload: Buffer;
  /** Bytes of the decompressed kernel. */
  readonly size: number;
}

export type KernelCompression = 'xz' | 'zstd' | 'gzip';

export interface NoBzImage {
  readonly kind: 'invalid';
  readonly why: string;
}

/**
 * Parses a bzImage. Accepts hostile bytes without throwing. Fields: "The Linux/x86 Boot Protocol" of the kernel's
 * documentation.
 */
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
/** Longest version name in a kernel. */
const longestVersion = 64;

const beginnings: readonly { readonly compression: KernelCompression; readonly magic: Buffer }[] = [
  { compression: 'xz', magic: Buffer.from('fd377a585a00', 'hex') },
  { compression: 'zstd', magic: Buffer.from('28b52ffd', 'hex') },
  { compression: 'gzip', magic: Buffer.from('1f8b', 'hex') },
];

/**
 * The last four bytes are the size of the decompressed data. They are part of gzip. For other formats, the kernel's
 * build appends them.
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

/**
 * Decompresses at most `most` bytes. Throws `HF_IMAGE_FAILED` for damaged or larger data. `what` names the data in the
 * message.
 */
export async function decompress(
  bytes: Buffer,
  compression: KernelCompression,
  { most, what }: { readonly most: number; readonly what: string },
): Promise<Buffer> {
  if (compression === 'xz') return unxz(bytes, most, what);
  try {
    return compression === 'zstd'
      ? zstdDecompressSync(bytes, { maxOutputLength: most })
      : gunzipSync(bytes, { maxOutputLength: most });
  } catch (cause) {
    throw damaged(what, cause);
  }
}

/** Returns the compression that a file name's extension indicates. Undefined for an uncompressed file. */
export function compressionOf(path: string): KernelCompression | undefined {
  return (
    [
      ['.xz', 'xz'],
      ['.zst', 'zstd'],
      ['.gz', 'gzip'],
    ] as const
  ).find(([ending]) => path.endsWith(ending))?.[1];
}

async function unxz(input: Buffer, most: number, what: string): Promise<Buffer> {
  const { ending, status, output } = await runTool('xz', { arguments: ['--decompress', '--stdout'], input, most });
  if (ending !== 'exited' || status !== 0) throw damaged(what);
  return output;
}

function damaged(what: string, cause?: unknown): Error {
  return imageError(
    `${what} is damaged: it cannot be decompressed`,
    'fetch the package again, or give another one with --package',
    cause,
  );
}
