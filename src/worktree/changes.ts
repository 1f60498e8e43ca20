import { lstatSync, type Stats } from 'node:fs';
import { type GitPlace, runGit, type Settings } from './git.ts';

/** Relative paths as raw bytes that differ from the last commit, without ignored files. */
export interface Changes {
  /** Changed or new. */
  readonly present: readonly Buffer[];
  readonly gone: readonly Buffer[];
  /**
   * Directories with a repository of their own: git would run in them by their own configuration, so only their name is
   * looked at.
   */
  readonly nested: readonly Buffer[];
}

export function changesOf(inside: GitPlace, settings: Settings): Changes {
  const { stdout } = runGit(
    inside,
    ['ls-files', '-z', '--modified', '--deleted', '--others', '--exclude-standard', '--deduplicate'],
    { settings },
  );
  const kinds = Map.groupBy(split(stdout), (path) => kindOf(inside.workTree, path));
  return { present: kinds.get('present') ?? [], gone: kinds.get('gone') ?? [], nested: kinds.get('nested') ?? [] };
}

export function countOf({ present, gone, nested }: Changes): number {
  return present.length + gone.length + nested.length;
}

const slash = 0x2f;

/** Attack: a directory that has become a link to one outside, with files of the same names in it. */
function kindOf(tree: string, path: Buffer): keyof Changes {
  if (path.at(-1) === slash) return 'nested';
  if (ancestorsOf(path).some((ancestor) => statOf(tree, ancestor)?.isDirectory() !== true)) return 'gone';
  const found = statOf(tree, path);
  if (found?.isDirectory() !== true) return found === undefined ? 'gone' : 'present';
  return statOf(tree, Buffer.concat([path, Buffer.from('/.git')])) === undefined ? 'gone' : 'nested';
}

function ancestorsOf(path: Buffer): readonly Buffer[] {
  return [...path.keys()].filter((at) => path[at] === slash).map((at) => path.subarray(0, at));
}

function statOf(tree: string, path: Buffer): Stats | undefined {
  try {
    return lstatSync(Buffer.concat([Buffer.from(`${tree}/`), path]));
  } catch {
    return undefined;
  }
}

function split(bytes: Buffer): readonly Buffer[] {
  const parts: Buffer[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(0, start);
    parts.push(bytes.subarray(start, end === -1 ? bytes.length : end));
    start = end === -1 ? bytes.length : end + 1;
  }
  return parts;
}
