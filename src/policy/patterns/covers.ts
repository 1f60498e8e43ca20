import { normaliseHost } from '../normalise/host.ts';
import type { CommandPattern } from './command-pattern.ts';
import { hostIndex } from './host-index.ts';
import type { HostPattern, PortRange } from './host-pattern.ts';
import { pathIndex } from './path-index.ts';
import { pathQuery, type ResolvedPath } from './resolve-path.ts';
import { compileWildcard, matchesWildcard, type Wildcard } from './wildcard.ts';

/**
 * Whether `a` matches everything that `b` matches. May wrongly answer no, but never wrongly yes, because it tells
 * people that a rule has no effect.
 */
export function pathCovers(a: ResolvedPath, b: ResolvedPath): boolean {
  if (a.source === b.source) return true;
  if (b.kind === 'name') return a.kind === 'subtree' && a.base.length === 0;
  const index = pathIndex([{ pattern: a, order: 0, operations: 1, above: 0, value: a }]);
  return index.first(pathQuery(b.base, 1)) !== undefined;
}

export function hostCovers(a: HostPattern, b: HostPattern): boolean {
  return portsCover(a.ports, b.ports) && matcherCovers(a, b);
}

export function commandCovers(a: CommandPattern, b: CommandPattern): boolean {
  if (a.exactly !== undefined)
    return (
      wildcardCovers(a.program, b.program) &&
      b.exactly !== undefined &&
      a.exactly.length === b.exactly.length &&
      a.exactly.every((word, index) => word === b.exactly?.[index])
    );
  return (
    wildcardCovers(a.program, b.program) &&
    a.words.every((word, index) => wildcardCovers(word, b.words[index]) && !isOptionFor(b.words[index], word))
  );
}

/** A wildcard covers operands. Whether it covers an option depends on the pattern's effect. */
function isOptionFor(word: Wildcard | undefined, wildcard: Wildcard): boolean {
  return word?.source.startsWith('-') === true && !wildcard.source.startsWith('-');
}

export function textCovers(a: string, b: string): boolean {
  return wildcardCovers(compileWildcard(a), compileWildcard(b));
}

function wildcardCovers(a: Wildcard, b: Wildcard | undefined): boolean {
  if (b === undefined) return false;
  if (a.source === b.source || a.source === '*') return true;
  return b.literal !== undefined && matchesWildcard(a, b.literal);
}

function portsCover(a: PortRange | undefined, b: PortRange | undefined): boolean {
  return a === undefined || (b !== undefined && a.from <= b.from && b.to <= a.to);
}

function matcherCovers({ host: a, source }: HostPattern, { host: b }: HostPattern): boolean {
  if (a.kind === 'any') return true;
  switch (b.kind) {
    case 'exact':
      return matches(a, source, b.text);
    case 'localhost':
      return a.kind === 'localhost';
    case 'subdomains':
      return a.kind === 'subdomains' && (a.suffix === b.suffix || b.suffix.endsWith(`.${a.suffix}`));
    case 'network':
      return a.kind === 'network' && JSON.stringify(a) === JSON.stringify(b);
    case 'any':
      return false;
  }
}

function matches(host: HostPattern['host'], source: string, text: string): boolean {
  const wanted = normaliseHost(text);
  const index = hostIndex<true, undefined>([{ pattern: { kind: 'host', source, host }, order: 0, value: true }]);
  return wanted !== undefined && index.first(wanted, 1, undefined) !== undefined;
}
