import type { FileStat } from './types.ts';

/** What `lstat` or `stat` says. Times are nanoseconds since 1970. */
export interface FileInfo extends Omit<FileStat, 'size'> {
  /** Bytes. */
  readonly size: number;
}

/** No file system holds a file of more bytes than a number can count. */
export function fileInfo(stat: FileStat): FileInfo {
  return { ...stat, size: Number(stat.size) };
}
