import type { Files, ListedFile } from '../../files/index.ts';
import { findFiles } from '../files/find-files.ts';

/** Files of `patterns` below a directory, with what tells one state of a file from another. */
export type FileStates = ReadonlyMap<string, { readonly file: ListedFile; readonly state: string }>;

/** Files that are looked at. */
const most = 2000;

/** Through the confined worker. A directory that is not there has none. */
export async function fileStates(files: Pick<Files, 'list'>, patterns: readonly string[], path: string): Promise<FileStates> {
  const states = new Map<string, { readonly file: ListedFile; readonly state: string }>();
  const detailed: Pick<Files, 'list'> = { list: (directory) => files.list(directory, { detail: 'stat' }) };
  for (const pattern of patterns) {
    const found = await findFiles(detailed, pattern, { path, limit: most });
    for (const file of found.files) states.set(file.bytes.toString('latin1'), { file, state: stateOf(file) });
  }
  return states;
}

/** What is in `after` and was not, or was another one, in `before`. */
export function changedFiles(before: FileStates, after: FileStates): readonly ListedFile[] {
  return [...after].filter(([name, { state }]) => before.get(name)?.state !== state).map(([, { file }]) => file);
}

function stateOf({ type, info }: ListedFile): string {
  return [type, info?.inode, info?.size, info?.modified, info?.changed].join(' ');
}
