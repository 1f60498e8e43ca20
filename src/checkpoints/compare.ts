import type { Entry } from './types.ts';

/** What is different about one path. */
export interface Difference {
  readonly path: string;
  /**
   * `replaced`: another kind, e.g. a symlink where a file was. `linked`: shares its file with other paths than before.
   */
  readonly kind: 'added' | 'deleted' | 'replaced' | 'modified' | 'linked' | 'metadata';
  readonly before?: Entry;
  readonly after?: Entry;
}

/** Everything in which two trees differ, in the order of the paths' bytes. */
export function compare(before: readonly Entry[], after: readonly Entry[]): readonly Difference[] {
  const [old, fresh] = [byPath(before), byPath(after)];
  const [oldLinks, freshLinks] = [linksOf(before), linksOf(after)];
  const paths = [...new Set([...old.keys(), ...fresh.keys()])].sort();
  return paths.flatMap((path): Difference | readonly Difference[] => {
    const [was, is] = [old.get(path), fresh.get(path)];
    if (was === undefined) return is === undefined ? [] : { path, kind: 'added', after: is };
    if (is === undefined) return { path, kind: 'deleted', before: was };
    const kind = kindOf(was, is, oldLinks.get(path) === freshLinks.get(path));
    return kind === undefined ? [] : { path, kind, before: was, after: is };
  });
}

/** What a person wants to see: not that a directory is newer because of what was written in it. */
export function worthShowing({ kind, before, after }: Difference): boolean {
  return (
    kind !== 'metadata' ||
    before === undefined ||
    after === undefined ||
    !sameMetadata({ ...before, modified: after.modified }, after)
  );
}

/** For each file with several names in the tree: all of them, as one text. */
export function linksOf(entries: readonly Entry[]): ReadonlyMap<string, string> {
  const names = new Map<string, string[]>();
  for (const { kind, device, inode, path } of entries) {
    if (kind === 'directory') continue;
    const key = `${device}:${inode}`;
    const known = names.get(key);
    if (known === undefined) names.set(key, [path]);
    else known.push(path);
  }
  return new Map(
    [...names.values()]
      .filter(({ length }) => length > 1)
      .flatMap((paths) => paths.map((path) => [path, paths.toSorted().join('\0')] as const)),
  );
}

function byPath(entries: readonly Entry[]): ReadonlyMap<string, Entry> {
  return new Map(entries.map((entry) => [entry.path, entry]));
}

function kindOf(was: Entry, is: Entry, sameLinks: boolean): Difference['kind'] | undefined {
  if (was.kind !== is.kind) return 'replaced';
  if (!sameContent(was, is)) return 'modified';
  if (!sameLinks) return 'linked';
  return sameMetadata(was, is) ? undefined : 'metadata';
}

function sameContent(was: Entry, is: Entry): boolean {
  if (was.kind === 'file' && is.kind === 'file') return was.object === is.object;
  return was.kind !== 'symlink' || is.kind !== 'symlink' || was.target === is.target;
}

function sameMetadata(was: Entry, is: Entry): boolean {
  return (
    was.mode === is.mode &&
    was.uid === is.uid &&
    was.gid === is.gid &&
    was.modified === is.modified &&
    sameAttributes(was.attributes, is.attributes)
  );
}

function sameAttributes(was: Entry['attributes'], is: Entry['attributes']): boolean {
  const names = Object.keys(was);
  return names.length === Object.keys(is).length && names.every((name) => was[name] === is[name]);
}
