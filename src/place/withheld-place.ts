// Not imported through the index, because `run` would load the whole policy room.
import { compileWildcard, matchesWildcard } from '../policy/patterns/wildcard.ts';

/** Why a path is withheld: its own name, or a directory that is withheld as a whole. */
export type WithheldPlace = { readonly kind: 'file' } | { readonly kind: 'in-directory'; readonly directory: string };

/**
 * `path` is relative to the workspace, with `/`. Undefined for a file that boxes get anyway. Matches as
 * `native/src/launch/names/names.c` does. Packages do not count, nor do git's refs, because a branch may have any name.
 */
export function withheldPlace(names: readonly (readonly string[])[], path: string): WithheldPlace | undefined {
  const components = path.split('/');
  const end = components.findIndex((_, index) => names.some((name) => endsName(name, components, index)));
  if (end === -1 || isElsewhere(components.slice(0, end).map(lower))) return undefined;
  return end === components.length - 1
    ? { kind: 'file' }
    : { kind: 'in-directory', directory: components.slice(0, end + 1).join('/') };
}

function isElsewhere(above: readonly string[]): boolean {
  const git = above.indexOf('.git');
  return (
    above.includes('node_modules') ||
    (git !== -1 && above.some((component, index) => index > git && (component === 'refs' || component === 'logs')))
  );
}

/** Whether the components up to this one end with a name. */
export function endsName(name: readonly string[], components: readonly string[], end: number): boolean {
  const start = end + 1 - name.length;
  return start >= 0 && name.every((pattern, index) => matchesName(pattern, components[start + index] ?? ''));
}

/** `*` and `?`; ASCII case is ignored. */
export function matchesName(pattern: string, component: string): boolean {
  const [wanted, given] = [lower(pattern), lower(component)];
  if (!isWild(wanted)) return wanted === given;
  // In a policy's wildcard a backslash escapes the next character. Here it is an ordinary character.
  return matchesWildcard(compileWildcard(wanted.replaceAll('\\', '\\\\')), given);
}

/** Whether a pattern has wildcards. */
export function isWild(pattern: string): boolean {
  return pattern.includes('*') || pattern.includes('?');
}

function lower(text: string): string {
  return /[A-Z]/u.test(text) ? text.replaceAll(/[A-Z]/gu, (letter) => letter.toLowerCase()) : text;
}
