import { hasWildcard } from '../patterns/wildcard.ts';

/** The longest chain of names that is looked for when a box starts. */
const longestChain = 8;

/**
 * The components of a pattern of `**` and names, which can be looked for in every directory of a box; `**` alone may
 * only end them. Undefined for every other pattern with wildcards: the kernel can hold those nowhere.
 */
export function searchedNames(source: string): readonly string[] | undefined {
  if (!source.startsWith('**/')) return undefined;
  const components = source
    .slice(3)
    .replace(/\/\*\*$/, '')
    .split('/');
  return components.length <= longestChain && components.every((component) => component !== '' && component !== '**')
    ? components.map(unescaped)
    : undefined;
}

/** The search knows `*` and `?` and no escapes: where one of them is meant as it stands, `?` is never less. */
function unescaped(component: string): string {
  return component.replaceAll(/\\(.)/gs, (_, character: string) => (character === '*' ? '?' : character));
}

/** What to write instead of a pattern that is to refuse and cannot be looked for: never less than it meant. */
export function refusalInstead(source: string): string {
  const components = source.split('/').filter((component) => component !== '' && component !== '.');
  while (components.at(-1) === '**') components.pop();
  if (!components.some(hasWildcard)) return literalPrefix(source);
  const names = components.slice(components.lastIndexOf('**') + 1);
  const from = components.includes('**') ? 0 : Math.max(0, names.findIndex(hasWildcard) - 1);
  return `**/${names
    .slice(from)
    .filter((name) => name !== '~')
    .slice(-longestChain)
    .join('/')}`;
}

/** What to write instead of a pattern that is to grant: the directory that holds all it means, where there is one. */
export function grantInstead(source: string): string {
  const prefix = literalPrefix(source);
  const isPlace = prefix !== '/' && prefix !== '~' && !source.startsWith('**');
  return isPlace
    ? `write "${prefix}" for the directory and everything beneath, or name each path`
    : 'name each path; a directory stands for everything beneath';
}

/** The path before the first component with a wildcard; `.` for the workspace. */
function literalPrefix(source: string): string {
  const components = source.split('/');
  const wild = components.findIndex(hasWildcard);
  const prefix = (wild < 0 ? components : components.slice(0, wild)).join('/');
  if (prefix !== '') return prefix;
  return /^(?:\/|\*\*)/.test(source) ? '/' : '.';
}
