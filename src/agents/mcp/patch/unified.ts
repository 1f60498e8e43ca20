import { applyPatch, parsePatch, type StructuredPatch } from 'diff';
import { doesNotFit, invalid } from './problems.ts';
import type { FileChange } from './types.ts';

const nowhere = '/dev/null';

export function parseUnified(text: string): readonly FileChange[] {
  return parsed(text).map(changeOf);
}

function parsed(text: string): readonly StructuredPatch[] {
  try {
    return parsePatch(text);
  } catch (error) {
    throw invalid(error instanceof Error ? error.message : 'it is no unified diff');
  }
}

function changeOf(patch: StructuredPatch): FileChange {
  if (patch.isBinary === true) throw invalid('it holds a binary file');
  const from = nameOf(patch.oldFileName);
  const to = nameOf(patch.newFileName);
  if (from === undefined && to === undefined) throw invalid('there is a part of it that names no file: write --- and +++ lines');
  if (from === undefined) return { kind: 'add', path: to as string, content: applied('', patch) };
  if (to === undefined) return { kind: 'delete', path: from };
  return { kind: 'update', path: from, ...(from === to ? {} : { moveTo: to }), apply: (before) => applied(before, patch) };
}

/** Without the `a/` and `b/` that git writes; undefined for what is not there. */
function nameOf(name: string | undefined): string | undefined {
  if (name === undefined || name === nowhere || name === '') return undefined;
  return name.replace(/^[ab]\//u, '');
}

function applied(before: string, patch: StructuredPatch): string {
  const after = applyPatch(before, patch, { fuzzFactor: 0, autoConvertLineEndings: true });
  if (after !== false) return after;
  const line = patch.hunks.flatMap(({ lines }) => lines).find((each) => /^[- ]/u.test(each)) ?? '';
  throw doesNotFit(nameOf(patch.oldFileName) ?? nameOf(patch.newFileName) ?? '', line.slice(1));
}
