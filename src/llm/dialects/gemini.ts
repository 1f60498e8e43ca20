import type { Delta, Dialect, EventReading, NamedTool, Steering } from '../types.ts';
import { at, indexAt, isRecord, listAt, textAt } from '../usage/hostile-json.ts';
import { createCallMeter } from '../usage/meter.ts';
import { readGeminiForMeter } from './gemini-meter.ts';
import { headOf, indexIn, namedTool, piece, valuePiece } from './readings.ts';
import { placesBelow, lastElement, modelRefusalAnswer } from './request-places.ts';

/**
 * Google's servers accept both spellings of a member, and a single object instead of a list. A client that uses the
 * rarer form must not bypass the search.
 */
const spellings = (camel: string): readonly string[] => [
  camel,
  camel.replace(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`),
];

/** The body itself, the body within `countTokens`, and those within batches. */
const bodies = [
  '',
  ...spellings('generateContentRequest').map((body) => `${body}.`),
  'requests.*.',
  'requests.*.request.',
  ...spellings('inputConfig').flatMap((config) => [`batch.${config}.requests.requests.*.request.`]),
];

const contents = placesBelow(bodies, [
  'contents.*.',
  'contents.',
  'content.',
  ...spellings('systemInstruction').flatMap((one) => [`${one}.`, `${one}.*.`]),
]);

const parts = placesBelow(contents, ['parts.*.', 'parts.']);

/** Source: @google/genai 3.1.0, `Part`. Left out: `inlineData`, `fileData` and `thoughtSignature`. */
const inPart = [
  'text',
  ...spellings('functionCall').flatMap((one) => [`${one}.args.**`]),
  ...spellings('functionResponse').flatMap((one) => [`${one}.response.**`]),
  ...spellings('toolCall').flatMap((one) => [`${one}.args.**`]),
  ...spellings('toolResponse').flatMap((one) => [`${one}.response.**`]),
  ...spellings('executableCode').flatMap((one) => [`${one}.code`]),
  ...spellings('codeExecutionResult').flatMap((one) => [`${one}.output`]),
];

/**
 * `instances` belongs to Vertex's `:predict`. Other vendors' SDKs may write `contents` and `systemInstruction` as plain
 * strings.
 */
const geminiText = [
  ...placesBelow(parts, inPart),
  ...placesBelow(bodies, ['contents', 'contents.*', ...spellings('systemInstruction')]),
  'instances.*.content',
  'instances.*.prompt',
  'instances.*.text',
];

const declarations = placesBelow(bodies, ['tools.*.', 'tools.']).flatMap((tools) =>
  spellings('functionDeclarations').flatMap((one) => [`${tools}${one}.*.`, `${tools}${one}.`]),
);

const geminiDefinitions = placesBelow(declarations, [
  'description',
  'parameters.**',
  'response.**',
  ...spellings('parametersJsonSchema').map((one) => `${one}.**`),
  ...spellings('responseJsonSchema').map((one) => `${one}.**`),
]);

export const geminiModels: Dialect = {
  name: 'gemini',
  sources: [
    '@google/genai 3.1.0',
    'https://ai.google.dev/api/generate-content',
    'https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference',
  ],
  requestText: geminiText,
  requestTextOrBase64: [],
  toolDefinitions: geminiDefinitions,
  readDocument: readGeminiDocument,
  lists: 'events',
  readEvent: readGeminiEvent,
  eventName: () => undefined,
  deltaEvent,
  openMeter: () => createCallMeter(readGeminiForMeter()),
  refusal: ({ status, message }) =>
    modelRefusalAnswer(status, (kept) => ({
      error: { code: kept, message, status: statusNames[kept] ?? 'FAILED_PRECONDITION' },
    })),
  steer,
};

/** Names of google.rpc.Code for HTTP statuses. Source: https://google.aip.dev/193 */
const statusNames: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
};

/** Adds a text part after the parts of the last content, which may be function results. */
function steer(request: unknown, text: string): Steering | undefined {
  const last = lastElement(request, 'contents');
  if (last === undefined || textAt(last.value, 'role') === 'model' || listAt(last.value, 'parts').length === 0)
    return undefined;
  return { path: ['contents', last.index, 'parts'], value: { text } };
}

function deltaEvent({ channel, kind }: Delta, text: string, like: unknown): unknown {
  const head = headOf(like, ['modelVersion', 'responseId', 'createTime']);
  return {
    candidates: [
      { content: { parts: [partOf(channel, kind, text)], role: 'model' }, index: indexIn(channel, 'candidates') },
    ],
    ...head,
  };
}

function partOf(channel: string, kind: Delta['kind'], text: string): unknown {
  const mark = '.partial.';
  if (!channel.includes(mark)) return kind === 'thinking' ? { text, thought: true } : { text };
  const jsonPath = channel.slice(channel.indexOf(mark) + mark.length);
  return { functionCall: { partialArgs: [{ jsonPath, stringValue: text, willContinue: true }], willContinue: true } };
}

function readGeminiEvent(event: unknown): EventReading {
  if (isRecord(at(event, 'error'))) return { deltas: [], closes: 'all' };
  const deltas = chunkDeltas(event, []);
  const ended = listAt(event, 'candidates').flatMap((candidate, position) =>
    textAt(candidate, 'finishReason') === undefined ? [] : [`candidates.${indexAt(candidate, 'index', position)}`],
  );
  // A whole value ends with its event.
  const whole = deltas
    .filter(({ channel, kind }) => kind === 'arguments-value' || channel.endsWith('.whole'))
    .map(({ channel }) => channel);
  return { deltas, closes: [...ended, ...whole, ...partialCallEnds(event)], tools: chunkTools(event, []) };
}

/** Reads one answer, or the list of chunks that `streamGenerateContent` returns without `alt=sse`. */
function readGeminiDocument(document: unknown): EventReading {
  const chunks = Array.isArray(document) ? document.map((_chunk, index) => [index]) : [[]];
  return {
    deltas: chunks.flatMap((path) => chunkDeltas(document, path)),
    closes: 'all',
    tools: chunks.flatMap((path) => chunkTools(document, path)),
  };
}

/** If a call comes in pieces, only the first one has its name. */
function chunkTools(event: unknown, path: Delta['path']): readonly NamedTool[] {
  return listAt(event, ...path, 'candidates').flatMap((candidate, position) => {
    const channel = `candidates.${indexAt(candidate, 'index', position)}`;
    return listAt(candidate, 'content', 'parts').flatMap((part, index) =>
      [callChannel(channel, [...path, index]), `${channel}.partial`].flatMap((each) =>
        namedTool(each, textAt(part, 'functionCall', 'name')),
      ),
    );
  });
}

/** The call's number is part of the channel, because every chunk numbers its parts from 0. */
function callChannel(candidate: string, numbers: Delta['path']): string {
  return `${candidate}.call.${numbers.join('.')}`;
}

function chunkDeltas(event: unknown, path: Delta['path']): readonly Delta[] {
  return listAt(event, ...path, 'candidates').flatMap((candidate, position) => {
    const channel = `candidates.${indexAt(candidate, 'index', position)}`;
    return listAt(candidate, 'content', 'parts').flatMap((_part, index) =>
      partDeltas(event, {
        channel,
        call: callChannel(channel, [...path, index]),
        index,
        path: [...path, 'candidates', position, 'content', 'parts', index],
      }),
    );
  });
}

interface PartPlace {
  readonly channel: string;
  /** Channel of the call. */
  readonly call: string;
  readonly index: number;
  readonly path: Delta['path'];
}

function partDeltas(event: unknown, { channel, call, index, path }: PartPlace): readonly Delta[] {
  const isThought = at(event, ...path, 'thought') === true;
  return [
    ...piece(event, {
      channel: `${channel}.${isThought ? 'thought' : 'text'}`,
      kind: isThought ? 'thinking' : 'text',
      path: [...path, 'text'],
    }),
    ...valuePiece(event, { channel: call, path: [...path, 'functionCall', 'args'] }),
    ...listAt(event, ...path, 'functionCall', 'partialArgs').flatMap((partial, piecePosition) =>
      isTold(partial)
        ? piece(event, {
            channel: partialChannel(channel, partial),
            kind: 'arguments-text',
            path: [...path, 'functionCall', 'partialArgs', piecePosition, 'stringValue'],
          })
        : [],
    ),
    ...piece(event, {
      channel: `${channel}.code.${index}.whole`,
      kind: 'arguments-text',
      path: [...path, 'executableCode', 'code'],
    }),
    ...piece(event, {
      channel: `${channel}.result.${index}.whole`,
      kind: 'text',
      path: [...path, 'codeExecutionResult', 'output'],
    }),
  ];
}

/**
 * Vertex streams string arguments in pieces. Each piece names the path of its argument: `$.path`. Source: @google/genai
 * 3.1.0, `PartialArg`.
 */
function partialChannel(candidate: string, partial: unknown): string {
  return `${candidate}.partial.${(textAt(partial, 'jsonPath') ?? '').slice(0, longestPath)}`;
}

const longestPath = 256;

/**
 * Returns true if the path identifies one argument. Attack: two texts that have no path, or share a long beginning of
 * it, would count as one. The second would then be a URL in the middle of a text.
 */
function isTold(partial: unknown): boolean {
  const path = textAt(partial, 'jsonPath') ?? '';
  return path !== '' && path.length <= longestPath;
}

function partialCallEnds(event: unknown): readonly string[] {
  return listAt(event, 'candidates').flatMap((candidate, position) => {
    const channel = `candidates.${indexAt(candidate, 'index', position)}`;
    return listAt(candidate, 'content', 'parts').flatMap((part) => {
      const call = at(part, 'functionCall');
      if (isRecord(call) && at(call, 'willContinue') !== true) return [`${channel}.partial`];
      return listAt(call, 'partialArgs').flatMap((partial) =>
        at(partial, 'willContinue') === true ? [] : [partialChannel(channel, partial)],
      );
    });
  });
}
