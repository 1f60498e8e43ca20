import { compileWildcard, foldName, matchesWildcard } from './wildcard.ts';

/** A chain of names as in the built-in data: folded, with wildcards, and with exceptions for last components. */
export interface NameChain {
  readonly components: readonly string[];
  readonly except: readonly string[];
}

/**
 * Returns the number of path components up to the first place where the chain ends. Everything deeper is protected
 * together with it. Undefined if the chain does not occur in the path.
 */
export function guardedLength(path: readonly string[], { components, except }: NameChain): number | undefined {
  const folded = path.map(foldName);
  const chain = components.map(compileWildcard);
  for (let end = chain.length; end <= path.length; end += 1) {
    const start = end - chain.length;
    const matches = chain.every((wildcard, index) => matchesWildcard(wildcard, folded[start + index] ?? ''));
    if (matches && !except.includes(folded[end - 1] ?? '')) return end;
  }
  return undefined;
}
