import type { Entry } from '../types.ts';

/** An entry as JSON: kind, path, mode, uid, gid, modified, device, inode, changed, attributes, and what its kind has besides. */
export type Row = readonly [kind: string, path: string, mode: number, uid: number, gid: number, modified: string, device: string, inode: string, changed: string, attributes: Readonly<Record<string, string>>, ...rest: readonly (string | number)[]];

export function rowOf(entry: Entry): Row {
  const { path, mode, uid, gid, modified, device, inode, changed, attributes } = entry;
  return [letters[entry.kind], path, mode, uid, gid, String(modified), String(device), String(inode), String(changed), attributes, ...restOf(entry)];
}

export function readRow([kind, path, mode, uid, gid, modified, device, inode, changed, attributes, first = '', second = '']: Row): Entry {
  const common = { path, mode, uid, gid, modified: BigInt(modified), device: BigInt(device), inode: BigInt(inode), changed: BigInt(changed), attributes };
  if (kind === 'f') return { kind: 'file', ...common, size: Number(first), object: String(second) };
  if (kind === 'l') return { kind: 'symlink', ...common, target: String(first) };
  return { kind: kind === 'd' ? 'directory' : 'fifo', ...common };
}

const letters: Readonly<Record<Entry['kind'], string>> = { file: 'f', directory: 'd', symlink: 'l', fifo: 'p' };

function restOf(entry: Entry): readonly (string | number)[] {
  if (entry.kind === 'file') return [entry.size, entry.object];
  return entry.kind === 'symlink' ? [entry.target] : [];
}
