import type { Delta, EventReading } from '../types.ts';
import { at, indexAt, isRecord, listAt, textAt } from '../usage/hostile-json.ts';
import { anthropicDefinitions, anthropicText, anthropicTextOrBase64 } from './anthropic-messages.ts';
import { chatDefinitions, chatText } from './openai-chat.ts';
import { namedTool, piece, valuePiece } from './readings.ts';
import { placesBelow as bedrockPlacesBelow } from './request-places.ts';

/**
 * The `:event-type` header names an event: `name`. Nova under InvokeModel has the same events, each under a member with
 * its name.
 */
export function readConverseEvent(event: unknown, name: string | undefined): EventReading {
  const wrapped = wrapperOf(event);
  if (wrapped !== undefined) return below(wrapped, readConverseEvent(at(event, wrapped), wrapped));
  if (
    name === 'messageStop' ||
    name === 'metadata' ||
    name?.endsWith('Exception') === true ||
    textAt(event, 'stopReason') !== undefined
  )
    return { deltas: [], closes: 'all' };
  const channel = `content.${indexAt(event, 'contentBlockIndex', 0)}`;
  if (name === 'contentBlockStop') return { deltas: [], closes: [channel] };
  return {
    deltas: [
      ...piece(event, { channel, kind: 'text', path: ['delta', 'text'] }),
      ...piece(event, { channel, kind: 'arguments', path: ['delta', 'toolUse', 'input'] }),
      ...piece(event, { channel, kind: 'thinking', path: ['delta', 'reasoningContent', 'text'] }),
    ],
    closes: [],
    tools: namedTool(channel, toolName(at(event, 'start', 'toolUse'))),
  };
}

export function readConverseDocument(document: unknown): EventReading {
  const path = ['output', 'message', 'content'] as const;
  return {
    deltas: listAt(document, ...path).flatMap((_block, index) =>
      blockDeltas(document, `content.${index}`, [...path, index]),
    ),
    closes: 'all',
    tools: listAt(document, ...path).flatMap((block, index) =>
      namedTool(`content.${index}`, toolName(at(block, 'toolUse'))),
    ),
  };
}

/** A tool use with a type is run by the provider: `server_tool_use`. */
function toolName(toolUse: unknown): string | undefined {
  return textAt(toolUse, 'type') === undefined ? textAt(toolUse, 'name') : undefined;
}

const converseEventNames = [
  'messageStart',
  'contentBlockStart',
  'contentBlockDelta',
  'contentBlockStop',
  'messageStop',
  'metadata',
] as const;

/** Returns the name of the only member that wraps an event, for models that write `{ contentBlockDelta: { … } }`. */
export function wrapperOf(event: unknown): (typeof converseEventNames)[number] | undefined {
  return converseEventNames.find((name) => isRecord(at(event, name)));
}

function below(key: string, { deltas, ...rest }: EventReading): EventReading {
  return { ...rest, deltas: deltas.map((delta) => ({ ...delta, path: [key, ...delta.path] })) };
}

function blockDeltas(document: unknown, channel: string, path: Delta['path']): readonly Delta[] {
  return [
    ...piece(document, { channel, kind: 'text', path: [...path, 'text'] }),
    ...valuePiece(document, { channel, path: [...path, 'toolUse', 'input'] }),
    ...piece(document, { channel, kind: 'thinking', path: [...path, 'reasoningContent', 'reasoningText', 'text'] }),
    ...listAt(document, ...path, 'citationsContent', 'content').flatMap((_part, index) =>
      piece(document, {
        channel: `${channel}.cited.${index}`,
        kind: 'text',
        path: [...path, 'citationsContent', 'content', index, 'text'],
      }),
    ),
  ];
}

/** The body of Converse, and the same body within CountTokens. */
const bodies = ['', 'input.converse.'];
const results = ['messages.*.content.*.', 'messages.*.content.*.toolResult.content.*.'];

/**
 * Source: @aws-sdk/client-bedrock-runtime 3.1164.0, `ContentBlock`, `ToolResultContentBlock`, `DocumentBlock`. Left
 * out: `bytes` and `reasoningContent`.
 */
const inBlock = [
  'text',
  'json.**',
  'toolUse.input.**',
  'guardContent.text.text',
  'citationsContent.content.*.text',
  'searchResult.content.*.text',
  'searchResult.title',
  'searchResult.source',
  'document.name',
  'document.context',
  'document.source.text',
  'document.source.content.*.text',
];

export const converseText = bedrockPlacesBelow(bodies, [
  'system.*.text',
  'system.*.guardContent.text.text',
  'promptVariables.*.text',
  'additionalModelRequestFields.**',
  ...bedrockPlacesBelow(results, inBlock),
]);

export const converseDefinitions = bedrockPlacesBelow(bodies, [
  'toolConfig.tools.*.toolSpec.description',
  'toolConfig.tools.*.toolSpec.inputSchema.**',
]);

/**
 * InvokeModel accepts each model's own body: Anthropic's, OpenAI's, Nova's (which equals Converse), and the prompts of
 * older models.
 */
export const invokeText = [
  ...new Set([
    ...anthropicText,
    ...chatText,
    ...converseText,
    'inputText',
    'message',
    'chat_history.*.message',
    'preamble',
    'texts.*',
    'inputs',
    'textToImageParams.text',
    'documents.*.text',
    'documents.*.snippet',
  ]),
];
export const invokeTextOrBase64 = anthropicTextOrBase64;
export const invokeDefinitions = [...new Set([...anthropicDefinitions, ...chatDefinitions, ...converseDefinitions])];
