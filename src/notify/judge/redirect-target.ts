import { fileAnchors, normalisePath, type Policy } from '../../policy/index.ts';
import { fromReadable, readable } from '../view/byte-text.ts';
import type { FileJudgement } from './judge-files.ts';

export interface RedirectPlaces {
  readonly home: string;
  readonly workspace: string;
}

/**
 * Where a redirected path leads: what lies beneath a path of the rule lies at the same place beneath the target; a
 * pattern leads to the target itself. Undefined when the target is no path.
 */
export function redirectTarget(
  policy: Policy,
  { path, verdict }: Pick<FileJudgement, 'path' | 'verdict'>,
  places: RedirectPlaces,
): string | undefined {
  const target = verdict.redirectTo === undefined ? undefined : normalisePath(absolute(verdict.redirectTo, places));
  if (target === undefined) return undefined;
  const text = readable(path);
  const base = fileAnchors(policy).find(
    ({ rule, file, pattern }) =>
      rule === verdict.rule && file === verdict.file && pattern.kind === 'subtree' && isWithin(text, pattern.base),
  )?.pattern.base;
  return fromReadable(target) + (base === undefined ? '' : path.slice(fromReadable(base).length));
}

function absolute(text: string, { home, workspace }: RedirectPlaces): string {
  if (text.startsWith('/')) return text;
  return text === '~' || text.startsWith('~/') ? `${home}${text.slice(1)}` : `${workspace}/${text}`;
}

function isWithin(path: string, directory: string): boolean {
  return path === directory || path.startsWith(`${directory}/`);
}
