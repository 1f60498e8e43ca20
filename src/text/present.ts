import { filterText } from './filter/filter-text.ts';
import { escapePath } from './paths/escape-path.ts';
import { LineFilter } from './stream/line-filter.ts';
import { filterTerminal } from './terminal/filter.ts';
import type { FilteredText, TextForm, TextMode } from './types.ts';

/**
 * Returns a text in the form that a boundary requires. An unremarkable text stays the same string. `unescapePath`
 * restores names.
 *
 * @throws HoldfastError `HF_TEXT_REJECTED` at boundaries that refuse (`command`, `approval-prompt`, `policy-file`,
 * `memory`), if the text holds anything that is invisible or that a terminal obeys.
 */
export function present(name: BoundaryName, text: string): FilteredText {
  const boundary = boundaries[name];
  if (boundary.kind === 'path') return presentPath(text);
  if (boundary.mode === 'reject') return filterText(text, boundary);
  return presentText(boundary, text);
}

/** Reports lookalikes in names, and that something was escaped. */
function presentPath(text: string): FilteredText {
  const { findings } = filterText(text, { mode: 'report', form: 'name' });
  return { text: escapePath(text), findings };
}

/** Escape sequences are handled first. The rest is filtered like any other text. */
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

/** Treatment of a text on its way from the box, a repository or the network to a reader. */
export type Boundary = PathBoundary | TextBoundary;

/** The path is written so that it can be read back, because models pass paths that they have seen to tools. */
interface PathBoundary {
  readonly kind: 'path';
  readonly what: string;
}

interface TextBoundary {
  readonly kind: 'text';
  readonly form: TextForm;
  readonly mode: TextMode;
  /**
   * `colours` keeps SGR sequences. `marks` removes every escape sequence, and leaves a visible mark if it had an
   * effect.
   */
  readonly escapes: 'colours' | 'marks';
  /** Description of the text, for documentation and errors. */
  readonly what: string;
}

/**
 * All boundaries. In text that is shown, hidden characters are revealed. Text that is stored, approved or run is
 * refused instead, because a changed text would have a different meaning. A test visits all of them.
 */
export const boundaries = {
  'file-name': { kind: 'path', what: 'a name in a listing or an archive' },
  'branch-name': { kind: 'path', what: 'the name of a branch, tag or remote' },
  'file-content': { kind: 'text', form: 'code', mode: 'reveal', escapes: 'marks', what: 'the content of a file' },
  'search-result': { kind: 'text', form: 'code', mode: 'reveal', escapes: 'marks', what: 'a line that a search found' },
  'command-output': { kind: 'text', form: 'prose', mode: 'reveal', escapes: 'marks', what: 'the output of a command' },
  'terminal-output': {
    kind: 'text',
    form: 'prose',
    mode: 'reveal',
    escapes: 'colours',
    what: 'the output of a command, for a person',
  },
  page: { kind: 'text', form: 'prose', mode: 'reveal', escapes: 'marks', what: 'a page that was fetched' },
  'tool-description': {
    kind: 'text',
    form: 'prose',
    mode: 'reveal',
    escapes: 'marks',
    what: 'the description of a tool',
  },
  'tool-result': { kind: 'text', form: 'prose', mode: 'reveal', escapes: 'marks', what: 'the result of a tool' },
  'commit-text': { kind: 'text', form: 'prose', mode: 'reveal', escapes: 'marks', what: 'the message of a commit' },
  report: {
    kind: 'text',
    form: 'code',
    mode: 'reveal',
    escapes: 'marks',
    what: 'a message, review or report of Holdfast',
  },
  'approval-prompt': {
    kind: 'text',
    form: 'command',
    mode: 'reject',
    escapes: 'marks',
    what: 'the action in a question',
  },
  command: { kind: 'text', form: 'command', mode: 'reject', escapes: 'marks', what: 'a command that enters' },
  'policy-file': { kind: 'text', form: 'code', mode: 'reject', escapes: 'marks', what: 'a policy' },
  memory: {
    kind: 'text',
    form: 'prose',
    mode: 'reject',
    escapes: 'marks',
    what: 'a text for later prompts',
  },
} as const satisfies Readonly<Record<string, Boundary>>;

export type BoundaryName = keyof typeof boundaries;
