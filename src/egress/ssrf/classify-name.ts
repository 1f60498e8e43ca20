import { type SpecialName, specialNames } from './special-names.ts';

export type NameClass =
  | { readonly kind: 'ordinary' }
  | { readonly kind: 'special'; readonly pattern: string; readonly source: string; readonly reason: string };

/** Whether a name, normalised by `normaliseHost`, is one of the internet's. */
export function classifyName(name: string): NameClass {
  const known = specialNames.find((entry) => matches(entry, name));
  if (known !== undefined) return { kind: 'special', pattern: known.extent === 'tree' ? `*.${known.name}` : known.name, source: known.source, reason: known.meaning };
  if (!name.includes('.')) return { kind: 'special', pattern: 'single label', source: 'RFC 7085: names without dots are local', reason: 'a name of the local network' };
  return { kind: 'ordinary' };
}

function matches({ name: special, extent }: SpecialName, name: string): boolean {
  return name === special || (extent === 'tree' && name.endsWith(`.${special}`));
}
