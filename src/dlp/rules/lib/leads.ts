import type { Lead } from '../types.ts';
import { wordOrDash } from './characters.ts';

export function literal(text: string): Lead {
  return [...text];
}

/** The characters of a prefix, and behind it one of those that keys are made of. */
export function keyLead(prefix: string): Lead {
  return [...prefix, wordOrDash];
}

export function places(characters: string, count: number): Lead {
  return Array.from({ length: count }, () => characters);
}
