import type { ProtectedName } from '../../plan/types.ts';

/** A part of a path that matches a name of the plan, from the root down to `end`. */
export interface ProtectedMatch {
  readonly name: ProtectedName;
  /** The matched length of the path. */
  readonly end: number;
  /** `part`: a directory that may contain the named path. */
  readonly extent: 'whole' | 'part';
}

export interface NameFinder {
  /**
   * Finds all matches in a path below a root. `isGitDirectory` recognises git directories that are not called `.git`.
   */
  find(path: string, root: string, isGitDirectory: (path: string) => boolean): readonly ProtectedMatch[];
}

interface Indexed {
  readonly name: ProtectedName;
  /** Bytes as latin1. */
  readonly components: readonly string[];
  readonly except: readonly string[];
}

/** Looks names up by their first component. Most paths match no name, and cost one look-up per component. */
export function nameFinder(names: readonly ProtectedName[]): NameFinder {
  const indexed = names.map(indexOf);
  const literal = new Map<string, Indexed[]>();
  const patterns: Indexed[] = [];
  for (const each of indexed) {
    const [first = ''] = each.components;
    if (/[*?]/u.test(first)) patterns.push(each);
    else literal.set(fold(first), [...(literal.get(fold(first)) ?? []), each]);
  }
  const inGit = indexed.filter(({ components }) => components.length > 1 && fold(components[0] ?? '') === '.git');
  const gitWords = new Set(inGit.map(({ components }) => fold(components[1] ?? '')));
  return {
    find(path, root, isGitDirectory) {
      const { words, ends } = splitBelow(path, root);
      const matches: ProtectedMatch[] = [];
      let packages = false;
      let git = isGitDirectory(root) || fold(root.slice(root.lastIndexOf('/') + 1)) === '.git';
      for (const [index, word] of words.entries()) {
        const folded = fold(word);
        for (const each of [...(literal.get(folded) ?? []), ...patterns])
          add(matches, each, { words, ends, from: index, skip: 0, packages });
        const parent = path.slice(0, index === 0 ? root.length : ends[index - 1]);
        if (gitWords.has(folded) && fold(words[index - 1] ?? '') !== '.git' && isGitDirectory(parent))
          for (const each of inGit) add(matches, each, { words, ends, from: index, skip: 1, packages });
        packages ||= folded === 'node_modules' || (git && (folded === 'refs' || folded === 'logs'));
        git ||= folded === '.git';
      }
      return matches;
    },
  };
}

function indexOf(name: ProtectedName): Indexed {
  const bytes = (texts: readonly string[]): readonly string[] =>
    texts.map((text) => Buffer.from(text, 'utf8').toString('latin1'));
  return { name, components: bytes(name.components), except: bytes(name.except) };
}

interface Walk {
  readonly words: readonly string[];
  readonly ends: readonly number[];
  readonly from: number;
  /** Number of components that are already matched. */
  readonly skip: number;
  readonly packages: boolean;
}

function add(
  matches: ProtectedMatch[],
  { name, components, except }: Indexed,
  { words, ends, from, skip, packages }: Walk,
): void {
  if (packages && name.scope === 'outside-packages') return;
  let at = skip;
  while (
    at < components.length &&
    from + at - skip < words.length &&
    matchComponent(components[at] ?? '', words[from + at - skip] ?? '')
  )
    at += 1;
  const last = from + at - skip - 1;
  const [isWhole, isPart] = [at === components.length, from + at - skip === words.length];
  if (at === skip || (!isWhole && !isPart)) return;
  if (isWhole && except.some((pattern) => matchComponent(pattern, words[last] ?? ''))) return;
  matches.push({ name, end: ends[last] ?? 0, extent: isWhole ? 'whole' : 'part' });
}

interface Split {
  readonly words: readonly string[];
  /** Offsets in the path where each component ends. */
  readonly ends: readonly number[];
}

function splitBelow(path: string, root: string): Split {
  const start = root === '/' ? 1 : root.length + 1;
  const words = start >= path.length ? [] : path.slice(start).split('/');
  let end = start - 1;
  return { words, ends: words.map((word) => (end += word.length + 1)) };
}

function fold(text: string): string {
  return text.replace(/[A-Z]/gu, (letter) => letter.toLowerCase());
}

/**
 * Whether a pattern of `*` and `?` matches a whole name. Compares like the launcher: ignores ASCII case, and `?` is one
 * UTF-8 character. Both texts are bytes as latin1. Each `*` costs time linear in the name.
 */
export function matchComponent(pattern: string, name: string): boolean {
  let [at, next, star, retry] = [0, 0, -1, 0];
  while (next < name.length) {
    if (pattern[at] === '*') {
      star = at++;
      retry = next;
    } else if (
      at < pattern.length &&
      (pattern[at] === '?' || lower(pattern.charCodeAt(at)) === lower(name.charCodeAt(next)))
    ) {
      next += 1;
      if (pattern[at] === '?') while (isContinuation(name.charCodeAt(next))) next += 1;
      at += 1;
    } else if (star >= 0) {
      at = star + 1;
      next = ++retry;
    } else {
      return false;
    }
  }
  while (pattern[at] === '*') at += 1;
  return at === pattern.length;
}

function lower(code: number): number {
  return code >= 0x41 && code <= 0x5a ? code | 0x20 : code;
}

/** Beyond the end the code is `NaN`, which does not count. */
function isContinuation(code: number): boolean {
  return (code & 0xc0) === 0x80;
}

/** The protection of a path that existed when the box started. */
export type HeldAs = 'hidden' | 'fixed';

interface HeldPaths {
  /** The protection of a real path, or of a directory above it. */
  at(path: string): HeldAs | undefined;
  /** Whether a protected path is at this path or below it. */
  below(path: string): boolean;
}

export function heldPaths(found: readonly { readonly path: string; readonly how: HeldAs }[]): HeldPaths {
  const held = new Map<string, HeldAs>();
  const above = new Set<string>();
  for (const { path, how } of found) {
    if (held.get(path) !== 'hidden') held.set(path, how);
    for (let at = path; at !== '' && !above.has(at); at = parentOf(at)) above.add(at);
  }
  return {
    below: (path) => above.has(path),
    at(path) {
      let worst: HeldAs | undefined;
      for (let at = path; at !== '' && worst !== 'hidden'; at = parentOf(at)) worst = held.get(at) ?? worst;
      return worst;
    },
  };
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}
