/** Whether a name is what a pattern with `*` and `?` describes, as a whole. Linear time for one `*`; nothing is compiled, since a process asks few of hundreds. */
export function globMatcher(pattern: string): (name: string) => boolean {
  if (pattern === '*') return () => true;
  if (!/[*?]/u.test(pattern)) return (name) => name === pattern;
  const [first = '', ...parts] = pattern.split('*');
  const last = parts.pop();
  if (last === undefined) return (name) => name.length === first.length && isAt(first, name, 0);
  return (name) => {
    const end = name.length - last.length;
    if (end < first.length || !isAt(first, name, 0) || !isAt(last, name, end)) return false;
    let at = first.length;
    for (const part of parts) {
      const found = indexFrom(part, name, { at, end });
      if (found === -1) return false;
      at = found + part.length;
    }
    return true;
  };
}

function isAt(part: string, name: string, at: number): boolean {
  if (!part.includes('?')) return name.startsWith(part, at);
  return [...part].every((character, index) => character === '?' || character === name[at + index]);
}

/** The first place is enough: what a later `*` may take only grows. */
function indexFrom(part: string, name: string, { at, end }: { readonly at: number; readonly end: number }): number {
  if (!part.includes('?')) {
    const found = name.indexOf(part, at);
    return found === -1 || found + part.length > end ? -1 : found;
  }
  for (let place = at; place + part.length <= end; place += 1) if (isAt(part, name, place)) return place;
  return -1;
}
