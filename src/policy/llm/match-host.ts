import type { ModelHostPattern } from './model-server.ts';

/** Whether a host is one that a pattern means. Case and a last dot do not matter. Linear: a name is matched from `*` to `*`, greedily. */
export function matchesHost(host: string, pattern: ModelHostPattern): boolean {
  const name = normalHost(host);
  const [first = '', ...rest] = normalHost(pattern).split('*');
  if (rest.length === 0) return name === first;
  const last = rest.pop() ?? '';
  if (!name.startsWith(first) || !name.endsWith(last)) return false;
  let from = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, from + 1);
    if (found < 0) return false;
    from = found + part.length;
  }
  return name.length - last.length > from;
}

function normalHost(host: string): string {
  return host.toLowerCase().replace(/\.$/u, '');
}
