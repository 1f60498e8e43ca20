import { type PatternProblem, patternProblem } from './command-pattern.ts';
import { hasWildcard } from './wildcard.ts';

/** A path pattern, as in a policy. It also matches everything beneath its matches. */
export interface PathPattern {
  readonly kind: 'path';
  readonly source: string;
  /** `/abs`, `~/x`, `x/y` (below the workspace), or `**` and a name at any depth. */
  readonly anchor: 'root' | 'home' | 'workspace' | 'anywhere';
  /** Each may hold `*` and `?`, or be `**` for any number of components; `\` escapes. */
  readonly components: readonly string[];
  /** `literal` if no component has wildcards or escapes. */
  readonly form: 'literal' | 'wild';
}

/** PATH_MAX: no kernel takes a longer path. */
const longest = 4096;

/** Parses a path pattern, or says why it is invalid. */
export function parsePathPattern(source: string): PathPattern | PatternProblem {
  const form = source.length <= longest && plain.test(source) ? 'literal' : 'wild';
  const problem = form === 'literal' ? undefined : problemOf(source);
  if (problem !== undefined) return problem;
  const { anchor, rest } = anchorOf(source);
  const components = rest.split('/').filter((component) => component !== '' && component !== '.');
  if (components.includes('..')) {
    return patternProblem(`"${source}" climbs with ".."`, 'write the path that it means');
  }
  if (anchor === 'anywhere' && components.length === 0) {
    return patternProblem(`"${source}" names nothing`, 'write "." for the workspace or "/" for everything');
  }
  return { kind: 'path', source, anchor, components, form };
}

/** Returns the pattern of exactly this absolute path and everything beneath. */
export function pathPatternOf(path: string): string {
  return path.replaceAll(/[\\*?{}]/g, '\\$&');
}

/** Whether the pattern names one path rather than a set. */
export function isLiteralPattern(pattern: PathPattern): boolean {
  return pattern.anchor !== 'anywhere' && pattern.components.every((component) => !hasWildcard(component));
}

/** The usual case, which needs no further checks. */
const plain = /^(?:~(?=\/|$))?[\w/@+=:,-][\w/@+=:, .-]*$|^~$/;

function problemOf(source: string): PatternProblem | undefined {
  if (source.trim() === '') return patternProblem('an empty path matches nothing', 'write "." for the workspace');
  if (source.length > longest)
    return patternProblem(`a path of ${source.length} characters is too long`, `stay below ${longest}`);
  if (/[\p{Cc}\p{Cs}]/u.test(source)) {
    return patternProblem(`${JSON.stringify(source)} holds a control character`, 'write ? in its place');
  }
  if (/^~[^/]/.test(source)) {
    return patternProblem(
      `"${source}" names another user's home`,
      'write the absolute path, or \\~ for a file of that name',
    );
  }
  if (source.startsWith('$')) {
    return patternProblem(
      `"${source}" holds a variable, which is not expanded`,
      'write ~/… for the home, or the path itself',
    );
  }
  return syntaxProblemOf(source);
}

function syntaxProblemOf(source: string): PatternProblem | undefined {
  if (/(?<!\\)[{}]/.test(source)) {
    return patternProblem(
      `"${source}" holds a brace, which is not expanded`,
      'write one pattern for each alternative, or \\{ for a brace',
    );
  }
  if (/\\(?:$|[^\\*?{}~])/.test(source.replaceAll('\\\\', ''))) {
    return patternProblem(
      `"${source}" escapes a character that needs none`,
      'write \\\\ for a backslash and / between components',
    );
  }
  if (/[^/]\*\*|\*\*[^/]/.test(source)) {
    return patternProblem(
      `"${source}" joins "**" to other characters`,
      'let "**" stand alone between slashes, or write "*"',
    );
  }
  return undefined;
}

function anchorOf(source: string): { readonly anchor: PathPattern['anchor']; readonly rest: string } {
  if (source.startsWith('/')) return { anchor: 'root', rest: source };
  if (source === '~' || source.startsWith('~/')) return { anchor: 'home', rest: source.slice(1) };
  if (source === '**' || source.startsWith('**/')) return { anchor: 'anywhere', rest: source.slice(2) };
  return { anchor: 'workspace', rest: source };
}
