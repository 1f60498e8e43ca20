import { features } from '../features/index.ts';
import { patternLanguages } from '../features/merge.ts';
import type { PatternProblem } from '../patterns/command-pattern.ts';
import { patternParsers } from './pattern-parsers.ts';
import type { DocumentFinding } from './problem.ts';
import type { PolicyValue } from './types.ts';

const languages = patternLanguages(features);

/** Reports every text that is not a valid pattern of its language. */
export function patternFindings(value: PolicyValue): readonly DocumentFinding[] {
  return Object.entries(languages).flatMap(([at, language]) =>
    textsAt(value, at.split('.')).flatMap(({ path, text }): readonly DocumentFinding[] => {
      const parsed = patternParsers[language](text);
      return parsed.kind === 'problem'
        ? [{ at: path, message: (parsed as PatternProblem).message, remedy: (parsed as PatternProblem).remedy }]
        : [];
    }),
  );
}

interface PlacedText {
  readonly path: string;
  readonly text: string;
}

/** Returns all texts below a path of keys. Enters each table of a list on the way. */
function textsAt(value: unknown, keys: readonly string[], path = ''): readonly PlacedText[] {
  if (Array.isArray(value)) return value.flatMap((item: unknown, index) => textsAt(item, keys, `${path}[${index}]`));
  const [key, ...rest] = keys;
  if (key === undefined)
    return typeof value === 'string' || typeof value === 'number' ? [{ path, text: String(value) }] : [];
  if (typeof value !== 'object' || value === null) return [];
  return textsAt((value as Readonly<Record<string, unknown>>)[key], rest, path === '' ? key : `${path}.${key}`);
}
