import type { WorkerConnection } from './connection.ts';
import type { Desk } from './desk.ts';
import { pathBytes, joinBytes } from './paths.ts';
import type { FileEntry, FilePath, FileStat, FileType } from './types.ts';

export interface ListOptions {
  /**
   * Number of levels: 1 is the directory itself, `Infinity` the whole tree. Symlinks are never followed. Default: 1.
   */
  readonly depth?: number;
  /** `stat` adds `info`, as from `lstat`. Default: `names`. */
  readonly detail?: 'names' | 'stat';
}

export interface ListedFile {
  /** Name in its directory, as text. Bytes that are not UTF-8 become U+FFFD; then only `bytes` names the file. */
  readonly name: string;
  /** The listed path, with the path below it. */
  readonly path: string;
  /** The exact bytes of `path`. Every call takes them. */
  readonly bytes: Buffer;
  readonly type: FileType;
  /** Set with `detail: 'stat'`, unless the file has been removed meanwhile. */
  readonly info?: FileInfo;
}

/** Lists level by level. Within a level, the order is that of the file system. */
export async function listTree(
  desk: Desk,
  path: FilePath,
  { depth = 1, detail = 'names' }: ListOptions,
): Promise<ListedFile[]> {
  const connection = desk.connection();
  const found: ListedFile[] = [];
  let level = [pathBytes(path)];
  for (let left = depth; left >= 1 && level.length > 0; left -= 1) {
    const missing = left === depth ? 'refuse' : 'ignore';
    const lists = await Promise.all(
      level.map((directory) => listOne(desk, directory, { connection, detail, missing })),
    );
    level = [];
    for (const entry of lists.flat()) {
      found.push(entry);
      if (entry.type === 'directory') level.push(entry.bytes);
    }
  }
  return found;
}

interface OneListing {
  readonly connection: WorkerConnection;
  readonly detail: 'names' | 'stat';
  /** Deeper directories may have been removed since their parent was read. */
  readonly missing: 'refuse' | 'ignore';
}

async function listOne(
  desk: Desk,
  directory: Buffer,
  { connection, detail, missing }: OneListing,
): Promise<ListedFile[]> {
  const found: ListedFile[] = [];
  try {
    let from = 0;
    do {
      const { entries, more } = await desk.one({ kind: 'list', path: directory, from, detail }, { connection });
      for (const entry of entries) found.push(listed(directory, entry));
      from = more;
    } while (from !== 0);
  } catch (error) {
    if (missing === 'refuse' || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return found;
}

function listed(directory: Buffer, { name, type, stat }: FileEntry): ListedFile {
  const bytes = joinBytes(directory, name);
  const text = Buffer.from(name.buffer, name.byteOffset, name.byteLength).toString();
  return { name: text, path: bytes.toString(), bytes, type, ...(stat === undefined ? {} : { info: fileInfo(stat) }) };
}

/** Result of `lstat` or `stat`. Times are nanoseconds since 1970. */
export interface FileInfo extends Omit<FileStat, 'size'> {
  /** Bytes. */
  readonly size: number;
}

/** Numbers hold every file size, because no file system has larger files. */
export function fileInfo(stat: FileStat): FileInfo {
  return { ...stat, size: Number(stat.size) };
}
