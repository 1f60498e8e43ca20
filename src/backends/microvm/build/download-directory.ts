import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { diskError } from './image-error.ts';

/**
 * Runs `use` with an empty directory of this process below `directory`, which is gone afterwards, and so are those of
 * builds that were killed.
 */
export async function withDownloadDirectory<T>(directory: string, use: (download: string) => Promise<T>): Promise<T> {
  removeAbandoned(directory);
  const download = join(directory, `${prefix}${process.pid}`);
  try {
    mkdirSync(download, { mode: 0o700 });
    return await use(download);
  } catch (error) {
    throw diskError(error, directory);
  } finally {
    rmSync(download, { recursive: true, force: true });
  }
}

const prefix = 'download-';

function removeAbandoned(directory: string): void {
  for (const name of readdirSync(directory)) {
    const pid = new RegExp(`^${prefix}(\\d+)$`, 'u').exec(name)?.[1];
    if (pid !== undefined && (Number(pid) === process.pid || !existsSync(`/proc/${pid}`)))
      rmSync(join(directory, name), { recursive: true, force: true });
  }
}
