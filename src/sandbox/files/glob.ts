import { HoldfastError } from '../../errors/index.ts';
import { compileWildcard, matchesWildcard, type Wildcard } from '../../policy/patterns/wildcard.ts';

type Segment = Wildcard | 'any-depth';

/** Alternatives that braces may stand for. */
const mostAlternatives = 64;
const longest = 4096;

/**
 * A pattern of paths as models write it: `*` and `?` within a name, `**` for any number of directories, `{a,b}` for
 * alternatives, `\` before a character that is meant. Without a slash it is about names at any depth. No pattern takes more
 * time than its length times the path's.
 *
 * @throws HoldfastError `HF_USAGE` for one that is too long, climbs, or stands for too many alternatives.
 */
export function compileGlob(source: string): (path: string) => boolean {
  if (source === '' || source.length > longest) throw invalid(source, `expected a pattern of 1 to ${longest} characters`);
  const patterns = alternatives(source).map(segmentsOf);
  return (path) => {
    const names = path.split('/');
    return patterns.some((pattern) => matches(pattern, names));
  };
}

/** Each step takes one pair of braces out of every pattern that has some; a pair stands for two or more. */
function alternatives(source: string): readonly string[] {
  let patterns: readonly string[] = [source];
  for (;;) {
    const next = patterns.flatMap((pattern) => expandOnce(pattern) ?? [pattern]);
    if (next.length === patterns.length) return patterns;
    if (next.length > mostAlternatives) throw invalid(source, `the braces stand for more than ${mostAlternatives} patterns`);
    patterns = next;
  }
}

/** The first innermost braces, for which a pattern for each alternative is given. */
function expandOnce(pattern: string): readonly string[] | undefined {
  const braces = /(?<!\\)\{((?:[^{}\\]|\\.)*,(?:[^{}\\]|\\.)*)(?<!\\)\}/u.exec(pattern);
  if (braces === null) return undefined;
  const [whole, body = ''] = braces;
  const [before, after] = [pattern.slice(0, braces.index), pattern.slice(braces.index + whole.length)];
  return body.split(/(?<!\\),/u).map((choice) => `${before}${choice}${after}`);
}

function segmentsOf(pattern: string): readonly Segment[] {
  const names = pattern.replace(/^\.\//u, '').split('/').filter((name) => name !== '' && name !== '.');
  if (names.includes('..')) throw invalid(pattern, 'it climbs with ".."');
  const anywhere = names.length === 1 && names[0] !== '**' ? ['**'] : [];
  return [...anywhere, ...names].map((name) => (name === '**' ? 'any-depth' : compileWildcard(name)));
}

/** Goes back to the last `**` only, which is enough. */
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
  return new HoldfastError('HF_USAGE', `no pattern of paths: ${JSON.stringify(source.slice(0, 200))}: ${why}`, { remedy: 'as in "src/**/*.ts" or "*.{json,toml}"' });
}
