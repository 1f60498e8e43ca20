import { canonicalDecompositions, rangesOf, scriptNames, sequencesOf, unicodeVersion } from './data.ts';
import { type CodePointRange, intersect, rangesOfPoints, renderRanges, unite, without } from './ranges.ts';

/** The text of `src/text/unicode/tables.ts`. `scripts/unicode-tables.ts` writes it, and a test compares it. */
export async function renderUnicodeTables(): Promise<string> {
  const sets = await Promise.all(
    Object.entries(await codePointSets()).map(([name, ranges]) => renderSet(name, ranges)),
  );
  const scripts = await Promise.all(
    scriptNames().map(async (name) => `  ${name}: '${renderRanges(await rangesOf(`Script_Extensions/${name}`))}',\n`),
  );
  return [
    heading,
    `export const unicodeVersion = '${unicodeVersion}';\n\n`,
    ...sets,
    `/** Emoji joined by U+200D, which is written \`+\`; \`m\` is any skin tone, U+FE0F is left out. */\nexport const joinedEmoji =\n  '${(await joinedEmoji()).join(' ')}';\n\n`,
    `/** Possible characters after U+1F3F4, in the ASCII of the tags; U+E007F ends it. */\nexport const flagTags = '${(await flagTags()).join(' ')}';\n\n`,
    `/** Script_Extensions, without Common and Inherited. */\nexport const scripts = {\n${scripts.join('')}} as const;\n`,
  ].join('');
}

function renderSet(name: string, ranges: readonly CodePointRange[]): string {
  return `export const ${name} =\n  '${renderRanges(ranges)}';\n\n`;
}

async function codePointSets(): Promise<Readonly<Record<string, readonly CodePointRange[]>>> {
  const all = async (...properties: readonly string[]) => unite(...(await Promise.all(properties.map(rangesOf))));
  const emoji = without(
    await all('Binary_Property/Emoji'),
    await all('Binary_Property/ASCII', 'Binary_Property/Regional_Indicator'),
  );
  const mongolian = intersect(await all('Script/Mongolian'), await all('General_Category/Letter'));
  return {
    defaultIgnorable: await all('Binary_Property/Default_Ignorable_Code_Point'),
    bidiControl: await all('Binary_Property/Bidi_Control'),
    variationSelector: await all('Binary_Property/Variation_Selector'),
    noncharacter: await all('Binary_Property/Noncharacter_Code_Point'),
    control: await all('General_Category/Control'),
    separator: await all('General_Category/Line_Separator', 'General_Category/Paragraph_Separator'),
    blank: without(await all('General_Category/Space_Separator'), [[0x20, 0x20]]),
    unassigned: without(await all('General_Category/Unassigned'), await all('Binary_Property/Noncharacter_Code_Point')),
    privateUse: await all('General_Category/Private_Use'),
    letterCategory: await all('General_Category/Letter'),
    mark: await all('General_Category/Mark'),
    rightToLeft: await all('Bidi_Class/Right_To_Left', 'Bidi_Class/Arabic_Letter'),
    emoji,
    unifiedIdeograph: await all('Binary_Property/Unified_Ideograph'),
    virama: await all(
      'Binary_Property/Grapheme_Link',
      'Indic_Syllabic_Category/Virama',
      'Indic_Syllabic_Category/Invisible_Stacker',
    ),
    joining: await all('Joining_Type/Dual_Joining', 'Joining_Type/Right_Joining', 'Joining_Type/Left_Joining'),
    mongolianLetter: mongolian,
    /** Scripts that set U+200B where a word ends, since they write no space there. */
    unspaced: await all('Line_Break/Complex_Context'),
    composing: await composing(),
    neverComposed: await all('Binary_Property/Full_Composition_Exclusion'),
  };
}

/** The characters that NFC may combine with the previous one: NFC_Quick_Check=Maybe, derived from its definition. */
async function composing(): Promise<readonly CodePointRange[]> {
  const excluded = await rangesOf('Binary_Property/Full_Composition_Exclusion');
  const seconds: number[] = [];
  for (const [point, mapping] of await canonicalDecompositions()) {
    const isExcluded = excluded.some(([first, last]) => point >= first && point <= last);
    const second = typeof mapping === 'number' ? undefined : mapping[1];
    // Hangul syllables are composed by rule; their jamo are added below.
    if (!isExcluded && second !== undefined) seconds.push(second);
  }
  return unite(rangesOfPoints(seconds), [
    [0x1161, 0x1175],
    [0x11a8, 0x11c2],
  ]);
}

async function joinedEmoji(): Promise<readonly string[]> {
  const all = [...(await sequencesOf('RGI_Emoji_ZWJ_Sequence')), ...(await sequencesOf('Emoji_Test'))].filter(
    (sequence) => sequence.includes('\u200d'),
  );
  return [...new Set(all.map(skeletonOf))].toSorted();
}

function skeletonOf(sequence: string): string {
  const part = (text: string) => [...text].map((char) => char.codePointAt(0)!).filter((point) => point !== 0xfe0f);
  return sequence
    .split('\u200d')
    .map((text) =>
      part(text)
        .map((point) => (point >= 0x1f3fb && point <= 0x1f3ff ? 'm' : point.toString(16)))
        .join(''),
    )
    .join('+');
}

async function flagTags(): Promise<readonly string[]> {
  const sequences = await sequencesOf('RGI_Emoji_Tag_Sequence');
  return sequences.map((sequence) =>
    [...sequence]
      .slice(1, -1)
      .map((char) => String.fromCodePoint(char.codePointAt(0)! - 0xe0000))
      .join(''),
  );
}

const heading = `// Written by scripts/unicode-tables.ts from the Unicode Character Database. Do not edit: a test compares this file with the data.
// Unicode data: © Unicode, Inc., under the Unicode License v3 (https://www.unicode.org/license.txt).
// Each set is a list of hexadecimal code points and ranges, both ends inside.

`;
