/**
 * Regular expressions of the profile language: `. * + ? | ( ) [ ] ^ $ \` and nothing newer. Denials match names as a
 * case-insensitive APFS compares them, so every letter is expanded to all its spellings.
 */

/**
 * Other spellings of ASCII text under full case folding (Unicode CaseFolding.txt, statuses C and F). Longer ones come
 * first.
 */
const foldings: readonly (readonly [string, readonly string[]])[] = [
  ['ffi', ['\ufb03', '\ufb00i', 'f\ufb01']],
  ['ffl', ['\ufb04', '\ufb00l', 'f\ufb02']],
  ['sst', ['\u00dft', '\u1e9et', 's\ufb05', 's\ufb06']],
  ['ff', ['\ufb00']],
  ['fi', ['\ufb01']],
  ['fl', ['\ufb02']],
  ['ss', ['\u00df', '\u1e9e']],
  ['st', ['\ufb05', '\ufb06']],
  ['s', ['\u017f']],
  ['k', ['\u212a']],
];

const foldable = /ffi|ffl|sst|ff|fi|fl|ss|st|s|k/gu;
const byFolded: ReadonlyMap<string, readonly string[]> = new Map(foldings);

/** Matches a literal name or path, in every case and every normal form. */
export function foldedText(text: string): string {
  return [...text.normalize('NFC').matchAll(/[\0-\x7f]+(?!\p{M})|[^](?:\p{M})*/gu)]
    .map(([part]) => (/^[\0-\x7f]+$/u.test(part) ? foldedAscii(part) : spellings(part)))
    .join('');
}

/** Matches a literal text. */
export function exactText(text: string): string {
  return text.replaceAll(/[\\^$.|?*+()[\]{}]/gu, '\\$&');
}

/** Matches a path component with the wildcards `*` and `?`. */
export function foldedName(wildcard: string): string {
  return wildcard
    .split(/([*?])/u)
    .map((part) => (part === '*' ? '[^/]*' : part === '?' ? oneCharacter : foldedText(part)))
    .join('');
}

/** Matches a component for grants: `?` matches at most one byte, in case the kernel counts bytes. */
export function exactName(wildcard: string): string {
  return wildcard
    .split(/([*?])/u)
    .map((part) => (part === '*' ? '[^/]*' : part === '?' ? '[^/]' : [...part].map(letter).join('')))
    .join('');
}

/**
 * Matches a component that equals none of these ASCII words, in any case. The language has no look-ahead, which would
 * be shorter.
 */
export function otherThan(words: readonly string[]): string {
  return rest(words, 'required');
}

/** One to four bytes: the kernel may count bytes where a policy counts characters. */
const oneCharacter = '[^/][^/]?[^/]?[^/]?';

function foldedAscii(text: string): string {
  const lower = text.toLowerCase();
  let done = 0;
  const parts: string[] = [];
  for (const { 0: token, index } of lower.matchAll(foldable)) {
    parts.push(
      letters(lower.slice(done, index)),
      token.length === 1
        ? single(token)
        : `(${[token, ...(byFolded.get(token) ?? [])].map((spelling) => [...spelling].map(single).join('')).join('|')})`,
    );
    done = index + token.length;
  }
  return [...parts, letters(lower.slice(done))].join('');
}

function letters(text: string): string {
  return [...text].map(letter).join('');
}

function letter(character: string): string {
  return /[a-z]/iu.test(character) && character <= 'z'
    ? `[${character.toLowerCase()}${character.toUpperCase()}]`
    : exactText(character);
}

/** A letter, with all of its spellings that are a single character. */
function single(character: string): string {
  return character === 's' || character === 'k'
    ? `(${letter(character)}|${byFolded.get(character)?.[0] ?? ''})`
    : letter(character);
}

/** A character with its marks: composed, decomposed and partly composed, in both cases. */
function spellings(cluster: string): string {
  const cases = [cluster, cluster.toLowerCase(), cluster.toUpperCase(), cluster.toUpperCase().toLowerCase()];
  const forms = cases.flatMap((each) => {
    const units = [...each.normalize('NFD')];
    return units.map(
      (_, at) =>
        units
          .slice(0, at + 1)
          .join('')
          .normalize('NFC') + units.slice(at + 1).join(''),
    );
  });
  return `(${[...new Set([...cases, ...forms])].map(exactText).join('|')})`;
}

/** The possible continuations after the part of the words that was already spelled. */
function rest(words: readonly string[], end: 'required' | 'possible'): string {
  const going = words.filter((word) => word !== '');
  const starts = [...new Set(going.map((word) => word[0] ?? ''))];
  const branches = starts.map(
    (start) =>
      `${letter(start)}${rest(
        going.filter((word) => word.startsWith(start)).map((word) => word.slice(1)),
        'possible',
      )}`,
  );
  const others = `[^/${starts.map((start) => (start.toLowerCase() === start.toUpperCase() ? start : start.toLowerCase() + start.toUpperCase())).join('')}][^/]*`;
  const isWord = words.includes('');
  return `(${[others, ...branches].join('|')})${end === 'possible' && !isWord ? '?' : ''}`;
}
