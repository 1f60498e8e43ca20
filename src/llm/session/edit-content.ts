import { type JsonEditor, createJsonEditor } from '../../dlp/json/edit-json.ts';
import type { FakeMap, Finding } from '../../dlp/types.ts';
import type { DlpRule, LlmSettings } from '../../policy/llm/types.ts';
import { lazily } from '../../policy/lazily.ts';
import { type Dialect, dialects, isTextLeaf } from '../index.ts';
import type { ContentRules } from './content-rules.ts';
import { type RuleCounts, FindingTally } from './tally.ts';

/** Result of applying the rules to one content. */
export type EditedContent =
  | { readonly kind: 'passes'; readonly bytes: Buffer; readonly found: readonly RuleCounts[] }
  | { readonly kind: 'blocked'; readonly by: RuleCounts; readonly found: readonly RuleCounts[] }
  /** The content could not be searched. */
  | { readonly kind: 'unreadable' };

export interface ContentEditing {
  readonly rules: ContentRules;
  readonly fakes: FakeMap;
  /**
   * Visits the texts to search. Texts in `others` may be base64 of a file, which stays unchanged. Default: every text.
   */
  readonly editor?: JsonEditor;
}

/** Searches the texts of JSON content and changes them as the rules require. Everything else stays byte for byte. */
export function editContent(bytes: Buffer, { rules, fakes, editor = anyText }: ContentEditing): EditedContent {
  const tally = new FindingTally();
  const edit = (text: string): string | undefined => editText(text, { rules, fakes, tally });
  const edited = editor.edit(bytes, (text, _path, of) => (of === 'other' && isFile(text) ? undefined : edit(text)));
  if (edited.kind === 'unreadable') return { kind: 'unreadable' };
  const found = tally.found();
  const by = found.find(({ rule }) => rule.decision === 'block');
  return by === undefined ? { kind: 'passes', bytes: edited.bytes, found } : { kind: 'blocked', by, found };
}

/** Checks the whole text. Attack: a text that only begins like a file. */
export function isFile(text: string): boolean {
  return !isTextLeaf(text) && /^(?:data:[\w/+.-]{1,100};base64,)?[\w+/=\r\n-]*$/u.test(text);
}

interface TextEditing {
  readonly rules: ContentRules;
  readonly fakes: FakeMap;
  readonly tally: FindingTally;
}

/** JSON may be nested in JSON in JSON. Honest content is not nested deeper. */
const deepest = 3;

interface Depth {
  readonly depth: number;
  /** Rules that matched in the text, for the text around it. */
  readonly told: Set<string>;
}

/**
 * Edits a text. Tool arguments are often JSON in a string. Its escapes are decoded for the search, and the text stays
 * JSON.
 */
function editText(
  text: string,
  editing: TextEditing,
  { depth, told }: Depth = { depth: 0, told: new Set() },
): string | undefined {
  const counted = new Set<string>();
  const inner =
    depth < deepest && /^\s*[[{"]/u.test(text)
      ? anyText.editText(text, (leaf) => editText(leaf, editing, { depth: depth + 1, told: counted }))
      : undefined;
  const within = inner?.kind === 'json' ? inner.text : text;
  const edited = editPlain(within, editing, { counted, told }) ?? within;
  for (const value of counted) told.add(value);
  return edited === text ? undefined : edited;
}

function editPlain(
  text: string,
  { rules, fakes, tally }: TextEditing,
  { counted, told }: { readonly counted: ReadonlySet<string>; readonly told: Set<string> },
): string | undefined {
  let out = '';
  let at = 0;
  for (const finding of rules.scanner.find(text)) {
    const rule = rules.ruleFor(finding);
    const value = text.slice(finding.start, finding.end);
    // Holdfast's own fakes come back with every turn, and do not count as matches.
    if (fakes.realOf(value) !== undefined) continue;
    if (!counted.has(value)) tally.count(rule, finding);
    told.add(value);
    out += text.slice(at, finding.start) + replacement(rule, value, { finding, fakes });
    at = finding.end;
  }
  return at === 0 ? undefined : out + text.slice(at);
}

interface Replaced {
  readonly finding: Finding;
  readonly fakes: FakeMap;
}

function replacement({ decision }: DlpRule, value: string, { finding, fakes }: Replaced): string {
  switch (decision) {
    case 'audit':
    case 'block':
      return value;
    case 'redact':
      return `[redacted:${finding.rule}]`;
    case 'tokenize':
      // A value with too few possible fakes cannot be restored reliably, so it is removed for good.
      return fakes.fakeFor(finding.rule, value) ?? `[redacted:${finding.rule}]`;
  }
}

/** Visits every text of a document. */
export const anyText: JsonEditor = createJsonEditor({ fields: ['**'] });

/** Cached, because a session uses one or two dialects, and creating an editor takes a millisecond. */
const editorsOf = (besides: 'toolDefinitions' | undefined): ReadonlyMap<Dialect, () => JsonEditor> =>
  new Map(
    Object.values(dialects).map((dialect) => [
      dialect,
      lazily(() =>
        createJsonEditor({
          fields: [...dialect.requestText, ...(besides === undefined ? [] : dialect[besides])],
          others: dialect.requestTextOrBase64,
        }),
      ),
    ]),
  );

const ofDialects = editorsOf(undefined);
const withDefinitions = editorsOf('toolDefinitions');

/** Returns the texts of a request that a model reads. `others` are those that may be base64 of a file. */
export function requestEditor(dialect: Dialect, besides: LlmSettings['lookInto'] = []): JsonEditor {
  const editors = besides.includes('tool-definitions') ? withDefinitions : ofDialects;
  return editors.get(dialect)?.() ?? anyText;
}
