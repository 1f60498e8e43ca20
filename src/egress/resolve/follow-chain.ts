import type { ResponseRecord } from '../dns/decode-response.ts';
import { hostNameOf } from '../dns/host-name.ts';

export type Chain =
  | {
      readonly kind: 'followed';
      /** Every name after the one asked for. */
      readonly aliases: readonly string[];
      readonly addresses: readonly string[];
      /** Seconds; the shortest of what was used. Infinite when nothing was. */
      readonly ttl: number;
    }
  /** An answer that contradicts itself is used for nothing. */
  | { readonly kind: 'contradictory'; readonly reason: string };

export const mostAliases = 16;

/** Goes from the name asked for along its CNAME records to its addresses; records about other names do not count. */
export function followChain(name: string, records: readonly ResponseRecord[]): Chain {
  const aliases: string[] = [];
  let owner = name;
  let ttl = Number.POSITIVE_INFINITY;
  for (;;) {
    const next = aliasOf(owner, records);
    if (next === 'ambiguous') return { kind: 'contradictory', reason: 'one name has several CNAME records' };
    if (next === undefined) break;
    if (aliases.includes(next.target)) return { kind: 'contradictory', reason: 'its CNAME records go in a circle' };
    if (hostNameOf(next.target) === undefined) return { kind: 'contradictory', reason: 'a CNAME record names no host' };
    if (aliases.length === mostAliases) return { kind: 'contradictory', reason: `it has more than ${mostAliases} CNAME records in a row` };
    aliases.push(next.target);
    ttl = Math.min(ttl, next.ttl);
    owner = next.target;
  }
  const found = records.flatMap((record) => (record.kind === 'address' && record.owner === owner ? [record] : []));
  return { kind: 'followed', aliases, addresses: found.map(({ address }) => address), ttl: Math.min(ttl, ...found.map((record) => record.ttl)) };
}

interface Alias {
  readonly target: string;
  readonly ttl: number;
}

function aliasOf(owner: string, records: readonly ResponseRecord[]): Alias | 'ambiguous' | undefined {
  const aliases = records.flatMap((record) => (record.kind === 'alias' && record.owner === owner ? [record] : []));
  return aliases.some(({ target }) => target !== aliases[0]?.target) ? 'ambiguous' : aliases[0];
}
