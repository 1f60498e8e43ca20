/** For each of the 128 ASCII characters, whether it is in the set. Entry 128: whether all other characters are. */
export type CharacterSet = Uint8Array;

const others = 128;

export function setOf(isIn: (character: string) => boolean, hasOthers: 0 | 1 = 0): CharacterSet {
  const set = Uint8Array.from({ length: others }, (_, code) => (isIn(String.fromCharCode(code)) ? 1 : 0));
  return Uint8Array.of(...set, hasOthers);
}

export function has(set: CharacterSet, code: number): boolean {
  return set[code < others ? code : others] === 1;
}

export function union(sets: readonly CharacterSet[]): CharacterSet {
  return Uint8Array.from({ length: others + 1 }, (_, index) => (sets.some((set) => set[index] === 1) ? 1 : 0));
}

export function inverse(set: CharacterSet): CharacterSet {
  return set.map((each) => 1 - each);
}

/** Adds the other case of each letter in the set. */
export function ofBothCases(set: CharacterSet): CharacterSet {
  return setOf(
    (character) => has(set, character.toLowerCase().charCodeAt(0)) || has(set, character.toUpperCase().charCodeAt(0)),
    set[others] === 1 ? 1 : 0,
  );
}

/** Returns the characters of a set. Undefined if some are not ASCII. */
export function charactersOf(set: CharacterSet): string | undefined {
  if (set[others] === 1) return undefined;
  return Array.from({ length: others }, (_, code) => (set[code] === 1 ? String.fromCharCode(code) : '')).join('');
}

const classes = {
  d: setOf((character) => /\d/u.test(character)),
  w: setOf((character) => /\w/u.test(character)),
  s: setOf((character) => /\s/u.test(character)),
};

/** `\d`, `\w`, `\s` and their opposites. `\s` includes only ASCII blanks. */
export const named: ReadonlyMap<string, CharacterSet> = new Map(
  Object.entries(classes).flatMap(
    ([name, set]) =>
      [
        [name, set],
        [name.toUpperCase(), inverse(set)],
      ] as const,
  ),
);

export const anyButLineEnd: CharacterSet = setOf((character) => character !== '\n' && character !== '\r', 1);

/** A parsed pattern. */
export type Node =
  | { readonly kind: 'set'; readonly set: CharacterSet }
  | { readonly kind: 'sequence'; readonly parts: readonly Node[] }
  | { readonly kind: 'choice'; readonly options: readonly Node[] }
  | { readonly kind: 'repeat'; readonly node: Node; readonly min: number; readonly max: number };

/** The reason that a pattern is refused. Thrown only inside this folder. */
export class PatternRefusal extends Error {
  override readonly name = 'Refusal';
}
