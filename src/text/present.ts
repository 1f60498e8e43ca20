import { boundaries, type BoundaryName, type TextBoundary } from './boundaries.ts';
import { filterText } from './filter/filter-text.ts';
import { escapePath } from './paths/escape-path.ts';
import { LineFilter } from './stream/line-filter.ts';
import { filterTerminal } from './terminal/filter.ts';
import type { FilteredText } from './types.ts';

/**
 * A text as it may pass a boundary: the same string where nothing is in it. Names come back by `unescapePath`.
 *
 * @throws HoldfastError `HF_TEXT_REJECTED` at boundaries that refuse (`command`, `approval-prompt`, `policy-file`, `memory`),
 * if the text holds anything that does not show or that a terminal obeys.
 */
export function present(name: BoundaryName, text: string): FilteredText {
  const boundary = boundaries[name];
  if (boundary.kind === 'path') return presentPath(text);
  if (boundary.mode === 'reject') return filterText(text, boundary);
  return presentText(boundary, text);
}

/** Look-alikes in names are told; that something was escaped is told as well. */
function presentPath(text: string): FilteredText {
  const { findings } = filterText(text, { mode: 'report', form: 'name' });
  return { text: escapePath(text), findings };
}

/** Escape sequences end first: what is left of them is text like any other. */
function presentText({ form, mode, escapes }: TextBoundary, text: string): FilteredText {
  const shown = filterTerminal(text, { for: escapes === 'colours' ? 'person' : 'model' });
  const filtered =
    escapes === 'colours' && shown.text.includes('\x1b')
      ? betweenColours(shown.text, { form, mode })
      : filterText(shown.text, { form, mode });
  return shown.findings.length === 0 ? filtered : { ...filtered, findings: [...shown.findings, ...filtered.findings] };
}

function betweenColours(text: string, { form, mode }: Pick<TextBoundary, 'form' | 'mode'>): FilteredText {
  const lines = new LineFilter({ form, mode: mode === 'reject' ? 'reveal' : mode });
  const shown = lines.push(text) + lines.flush();
  return { text: shown, findings: lines.findings };
}
