import { HoldfastError, type FilePath, type Files } from '../../sandbox/index.ts';

/** Bytes of a file that is edited as a whole. */
const largest = 16 * 1024 * 1024;

/** The content of a file that is small enough to be held. */
export async function readWhole(files: Pick<Files, 'read'>, path: FilePath): Promise<Buffer> {
  const bytes = await files.read(path, { length: largest + 1 });
  if (bytes.length <= largest) return bytes;
  throw new HoldfastError('HF_USAGE', `the file has more than ${largest} bytes`, { remedy: 'edit it with a program, through bash' });
}
