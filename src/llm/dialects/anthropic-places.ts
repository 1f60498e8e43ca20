import { below } from './request-places.ts';

/** A body of its own, and the bodies within a batch (`/v1/messages/batches`). */
const bodies = ['', 'requests.*.params.'];
const blocks = below(bodies, ['messages.*.content.*.']);

/**
 * What a content block has for a model to read, by @anthropic-ai/sdk 1.12.0, `ContentBlockParam` and `BetaContentBlockParam`: texts, inputs
 * and results of tools, what server-side tools gave, documents that are text. `signature`, `thinking`, `data` and `encrypted_*` are left out.
 */
const inBlock = [
  'text', 'input.**', 'title', 'context', 'source', 'source.content', 'source.content.*.text',
  'content', 'content.*.text', 'content.*.title', 'content.*.context', 'content.*.source', 'content.*.url',
  'content.*.content.*.text', 'content.*.source.content', 'content.*.source.content.*.text', 'content.*.tabs.*.title', 'content.*.tabs.*.url', 'content.*.stdout', 'content.*.stderr',
  'content.stdout', 'content.stderr', 'content.content', 'content.content.*.text', 'content.content.title', 'content.content.context', 'content.content.source.content',
  'content.content.source.content.*.text', 'content.lines.*', 'content.url', 'content.text',
];

export const anthropicText = [
  ...below(bodies, ['system', 'system.*.text', 'messages.*.content', 'prompt']),
  ...below(blocks, inBlock),
];

/** `source.data` is text where `source.type` is `text`, else base64 of an image or a PDF. */
export const anthropicTextOrBase64 = below(blocks, ['source.data', 'content.*.source.data', 'content.content.source.data']);

export const anthropicDefinitions = below(bodies, ['tools.*.description', 'tools.*.input_schema.**', 'tools.*.input_examples.**']);
