import type { Lead } from '../rules/types.ts';

/** How often a character stands in source code, roughly: a lead is found by those of its characters that are rarest there. */
const frequencies: readonly (readonly [RegExp, number])[] = [[/[jkqvwxz]/u, 4], [/[etaoinsrlcd \n]/u, 30], [/[a-z.]/u, 12], [/[A-Z\d_/-]/u, 3]];

/** Where the two neighbouring pairs of a lead begin that are rarest together. */
export function triplePlace(lead: Lead): number {
  const costs = lead.slice(1).map((characters, place) => frequencyOf(lead[place] ?? '') * frequencyOf(characters));
  const sums = costs.slice(1).map((cost, place) => cost + (costs[place] ?? 0));
  return Math.max(0, sums.indexOf(Math.min(...sums)));
}

/** Which of 128 characters are in a set. */
export function setOf(characters: string): Uint8Array {
  const set = new Uint8Array(128);
  for (const character of characters) set[character.charCodeAt(0)] = 1;
  return set;
}

function frequencyOf(characters: string): number {
  return [...characters].reduce((sum, character) => sum + (frequencies.find(([form]) => form.test(character))?.[1] ?? 1), 0);
}
