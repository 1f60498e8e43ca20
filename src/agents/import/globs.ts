/** A glob of the source as a pattern of ours, or the reason why no pattern equals it. */
export type Glob =
  | { readonly kind: 'pattern'; readonly text: string }
  | { readonly kind: 'none'; readonly why: string };

/** No path is longer. */
const longest = 4096;

/**
 * Returns a pattern that covers at least as much as a glob in all common dialects (`*`, `**`, `?`, `[…]`, `{a,b}`).
 * Drops a trailing `/**`: a pattern of ours matches everything below its matches too.
 */
export function restrictingGlob(glob: string): Glob {
  if (glob.startsWith('!')) return { kind: 'none', why: 'no line of a policy file takes back another one' };
  if (glob.length > longest) return { kind: 'none', why: `it is longer than ${longest} characters` };
  return cleaned(
    starsApart(
      withoutBraces(glob)
        .replaceAll(/\[[^\]/]*\]/gu, '?')
        .replaceAll(/[[\]]/gu, '?'),
    ),
  );
}

/** Returns a glob as one whole path: only whole paths can be granted. */
export function grantingGlob(glob: string): Glob {
  const pattern = cleaned(glob);
  if (pattern.kind === 'none') return pattern;
  return /[*?[\]{}!\\]/u.test(pattern.text)
    ? { kind: 'none', why: 'a grant is a mount, and only whole paths can be mounted' }
    : pattern;
}

/** Replaces alternatives with `*`. If they cross directories, only the directory before them is kept. */
function withoutBraces(glob: string): string {
  let text = glob;
  for (let before = ''; before !== text; ) {
    before = text;
    text = text.replaceAll(/\{[^{}/]*\}/gu, '*');
  }
  const open = text.indexOf('{');
  return open < 0 ? text.replaceAll('}', '?') : `${text.slice(0, open).replace(/[^/]*$/u, '')}**`;
}

/** `a**b` crosses directories in some dialects. In all of them, its matches end with `b`. */
function starsApart(glob: string): string {
  const components = glob.split('/');
  return components
    .map((component, index) => {
      if (component === '**' || !component.includes('**')) return component;
      const end = component.slice(component.lastIndexOf('**') + 2);
      if (end !== '') return `**/*${end}`;
      return index === components.length - 1 ? component.replaceAll(/\*{2,}/gu, '*') : '**';
    })
    .join('/');
}

function cleaned(glob: string): Glob {
  const components = glob.split('/');
  if (components.includes('..')) return { kind: 'none', why: 'it contains ".."' };
  if (/\$|^~[^/]/u.test(glob))
    return { kind: 'none', why: 'it contains a variable, or names the home of another user' };
  while (components.length > 1 && (components.at(-1) === '**' || components.at(-1) === '')) components.pop();
  const text = components.join('/').replace(/^(?:\.\/)+/u, '');
  if (text === '' || text === '**') return { kind: 'pattern', text: glob.startsWith('/') ? '/' : '.' };
  return { kind: 'pattern', text };
}
