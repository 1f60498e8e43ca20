import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { Compression } from './bzimage.ts';
import { imageError } from './image-error.ts';
import { runTool } from './run-tool.ts';

/** At most `most` bytes. Throws `HF_IMAGE_FAILED` for what is damaged or larger; `what` names it there. */
export async function decompress(
  bytes: Buffer,
  compression: Compression,
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

/** By the ending of a file's name; undefined for what is not compressed. */
export function compressionOf(path: string): Compression | undefined {
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
