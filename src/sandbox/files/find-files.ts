import type { FilePath, Files, ListedFile } from '../../files/index.ts';
import { bytesOf } from '../../files/paths.ts';
import { compileGlob } from './glob.ts';

export interface FindOptions {
  /** The directory that is looked into. Default: where commands start. */
  readonly path?: string;
  /** Files that are told. Default 200. */
  readonly limit?: number;
  readonly signal?: AbortSignal;
}

export interface FoundFiles {
  readonly files: readonly ListedFile[];
  /** `whole`: all were looked at. `limit`: there may be more. `entries`: the tree is too large to be looked through. */
  readonly searched: 'whole' | 'limit' | 'entries';
}

/** Names in a tree that are looked at. */
const mostEntries = 200_000;
/** Of these only what is named by itself is looked into: they hold more than the rest together. */
const skipped: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/** Files below a directory whose path from there is meant by the pattern. Level by level; symlinks are not followed. */
export async function findFiles(files: Pick<Files, 'list'>, pattern: string, { path = '.', limit = 200, signal }: Omit<FindOptions, 'path'> & { readonly path?: FilePath } = {}): Promise<FoundFiles> {
  const isMeant = compileGlob(pattern);
  const looksInto = (name: string): boolean => !skipped.has(name) || pattern.includes(name);
  const top = bytesOf(path);
  const found: ListedFile[] = [];
  const directories = [top];
  let entries = 0;
  for (const directory of directories) {
    signal?.throwIfAborted();
    for (const entry of await listed(files, directory, directory === top ? 'refuse' : 'ignore')) {
      entries += 1;
      if (entries > mostEntries) return { files: found, searched: 'entries' };
      if (entry.type === 'directory' && looksInto(entry.name)) directories.push(entry.bytes);
      if (entry.type === 'directory' || !isMeant(below(top, entry.bytes))) continue;
      if (found.length === limit) return { files: found, searched: 'limit' };
      found.push(entry);
    }
  }
  return { files: found, searched: 'whole' };
}

/** What lies deeper may be gone by now, or hidden. */
async function listed(files: Pick<Files, 'list'>, directory: Buffer, missing: 'refuse' | 'ignore'): Promise<readonly ListedFile[]> {
  try {
    return (await files.list(directory)).toSorted((a, b) => Buffer.compare(a.bytes, b.bytes));
  } catch (error) {
    if (missing === 'ignore' && error instanceof Error && 'syscall' in error) return [];
    throw error;
  }
}

function below(top: Buffer, path: Buffer): string {
  return top.toString() === '.' ? path.toString() : path.subarray(top.length).toString().replace(/^\/+/u, '');
}
