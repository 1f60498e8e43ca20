import type { Lead } from '../types.ts';
import { wordOrDash } from './characters.ts';

/** The scanner steps over as many characters as the shortest lead has, less one. */
const leastPlaces = 4;

/** The characters of a text, and behind a short one anything that a key is made of. */
export function literal(text: string): Lead {
  return [...text, ...Array.from({ length: Math.max(0, leastPlaces - text.length) }, () => wordOrDash)];
}

export function places(characters: string, count: number): Lead {
  return Array.from({ length: count }, () => characters);
}
