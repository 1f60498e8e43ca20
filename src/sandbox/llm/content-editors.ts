import { createJsonEditor, type JsonEditor } from '../../dlp/index.ts';
import { type Dialect, dialects } from '../../llm/index.ts';
import type { LlmSettings } from '../../policy/index.ts';

/** Every text of a document. */
export const anyText: JsonEditor = createJsonEditor({ fields: ['**'] });

const editorsOf = (besides: 'toolDefinitions' | undefined): ReadonlyMap<Dialect, JsonEditor> =>
  new Map(Object.values(dialects).map((dialect) => [dialect, createJsonEditor({ fields: [...dialect.requestText, ...(besides === undefined ? [] : dialect[besides])], others: dialect.requestTextOrBase64 })]));

const ofDialects = editorsOf(undefined);
const withDefinitions = editorsOf('toolDefinitions');

/** The texts of a request that a model reads, and as `others` those that may be a file in base64. */
export function requestEditor(dialect: Dialect, besides: LlmSettings['lookInto'] = []): JsonEditor {
  return (besides.includes('tool-definitions') ? withDefinitions : ofDialects).get(dialect) ?? anyText;
}
