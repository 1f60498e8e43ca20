import { HoldfastError } from '../../errors/index.ts';
import type { FilePath, Files, ListedFile } from '../index.ts';
import { pathBytes } from '../paths.ts';
import { compileWildcard, matchesWildcard, type Wildcard } from '../../policy/patterns/wildcard.ts';

export interface FindOptions {
  /** Directory to search. Default: the start directory of commands. */
  readonly path?: string;
  /** Most files returned. Default: 200. */
  readonly limit?: number;
  readonly signal?: AbortSignal;
}

export interface FoundFiles {
  readonly files: readonly ListedFile[];
  /** `whole`: all were searched. `limit`: there may be more. `entries`: the tree is too large to search. */
  readonly searched: 'whole' | 'limit' | 'entries';
}

/** Names of a tree that are checked. */
const mostEntries = 200_000;
/** Searched only if the pattern names them, because they hold more files than everything else. */
const skipped: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/** Finds files below a directory whose relative path matches the pattern. Level by level; follows no symlinks. */
export async function findFiles(
  files: Pick<Files, 'list'>,
  pattern: string,
  { path = '.', limit = 200, signal }: Omit<FindOptions, 'path'> & { readonly path?: FilePath } = {},
): Promise<FoundFiles> {
  const isMeant = compileGlob(pattern);
  const looksInto = (name: string): boolean => !skipped.has(name) || pattern.includes(name);
  const top = pathBytes(path);
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

/** Deeper directories may be gone, or hidden. */
async function listed(
  files: Pick<Files, 'list'>,
  directory: Buffer,
  missing: 'refuse' | 'ignore',
): Promise<readonly ListedFile[]> {
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

type Segment = Wildcard | 'any-depth';

/** Alternatives that braces may produce. */
const mostAlternatives = 64;
const longest = 4096;

/**
 * Compiles a glob pattern as models write it. `*` and `?` match within a name, `**` any number of directories, `{a,b}`
 * alternatives, and `\` a literal character. A pattern without a slash matches names at any depth. A match takes at
 * most the pattern's length times the path's.
 *
 * @throws HoldfastError `HF_USAGE` for one that is too long, contains `..`, or has too many alternatives.
 */
export function compileGlob(source: string): (path: string) => boolean {
  if (source === '' || source.length > longest)
    throw invalid(source, `expected a pattern of 1 to ${longest} characters`);
  const patterns = alternatives(source).map(segmentsOf);
  return (path) => {
    const names = path.split('/');
    return patterns.some((pattern) => matches(pattern, names));
  };
}

/** Each step expands one pair of braces in every pattern that has some. A pair has two or more alternatives. */
function alternatives(source: string): readonly string[] {
  let patterns: readonly string[] = [source];
  for (;;) {
    const next = patterns.flatMap((pattern) => expandOnce(pattern) ?? [pattern]);
    if (next.length === patterns.length) return patterns;
    if (next.length > mostAlternatives)
      throw invalid(source, `the braces expand to more than ${mostAlternatives} patterns`);
    patterns = next;
  }
}

/** Expands the first innermost braces into a pattern for each alternative. */
function expandOnce(pattern: string): readonly string[] | undefined {
  const braces = /(?<!\\)\{((?:[^{}\\]|\\.)*,(?:[^{}\\]|\\.)*)(?<!\\)\}/u.exec(pattern);
  if (braces === null) return undefined;
  const [whole, body = ''] = braces;
  const [before, after] = [pattern.slice(0, braces.index), pattern.slice(braces.index + whole.length)];
  return body.split(/(?<!\\),/u).map((choice) => `${before}${choice}${after}`);
}

function segmentsOf(pattern: string): readonly Segment[] {
  const names = pattern
    .replace(/^\.\//u, '')
    .split('/')
    .filter((name) => name !== '' && name !== '.');
  if (names.includes('..')) throw invalid(pattern, 'it contains ".."');
  const anywhere = names.length === 1 && names[0] !== '**' ? ['**'] : [];
  return [...anywhere, ...names].map((name) => (name === '**' ? 'any-depth' : compileWildcard(name)));
}

/** Backtracks only to the last `**`, which is enough. */
function matches(segments: readonly Segment[], names: readonly string[]): boolean {
  let [at, index, resume, resumeIndex] = [0, 0, 0, -1];
  while (at < names.length) {
    const segment = segments[index];
    if (segment === 'any-depth') {
      index += 1;
      [resume, resumeIndex] = [at, index];
    } else if (segment !== undefined && matchesWildcard(segment, names[at] as string)) {
      [at, index] = [at + 1, index + 1];
    } else if (resumeIndex >= 0) {
      resume += 1;
      [at, index] = [resume, resumeIndex];
    } else return false;
  }
  return segments.slice(index).every((segment) => segment === 'any-depth');
}

function invalid(source: string, why: string): HoldfastError {
  return new HoldfastError('HF_USAGE', `not a path pattern: ${JSON.stringify(source.slice(0, 200))}: ${why}`, {
    remedy: 'write it as "src/**/*.ts" or "*.{json,toml}"',
  });
}
