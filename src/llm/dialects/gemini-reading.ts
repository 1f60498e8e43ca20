import type { Delta, EventReading, NamedTool } from '../types.ts';
import { at, indexAt, isObject, listAt, textAt } from '../usage/hostile-json.ts';
import { namedTool, piece, valuePiece } from './readings.ts';

export function readGeminiEvent(event: unknown): EventReading {
  if (isObject(at(event, 'error'))) return { deltas: [], closes: 'all' };
  const deltas = chunkDeltas(event, []);
  const ended = listAt(event, 'candidates').flatMap((candidate, position) => (textAt(candidate, 'finishReason') === undefined ? [] : [`candidates.${indexAt(candidate, 'index', position)}`]));
  // A whole value ends with its event.
  const whole = deltas.filter(({ channel, kind }) => kind === 'arguments-value' || channel.endsWith('.whole')).map(({ channel }) => channel);
  return { deltas, closes: [...ended, ...whole, ...partialCallEnds(event)], tools: chunkTools(event, []) };
}

/** One answer, or the list of chunks that `streamGenerateContent` gives without `alt=sse`. */
export function readGeminiDocument(document: unknown): EventReading {
  const chunks = Array.isArray(document) ? document.map((_chunk, index) => [index]) : [[]];
  return { deltas: chunks.flatMap((path) => chunkDeltas(document, path)), closes: 'all', tools: chunks.flatMap((path) => chunkTools(document, path)) };
}

/** A call in pieces has its name with the first of them. */
function chunkTools(event: unknown, path: Delta['path']): readonly NamedTool[] {
  return listAt(event, ...path, 'candidates').flatMap((candidate, position) => {
    const channel = `candidates.${indexAt(candidate, 'index', position)}`;
    return listAt(candidate, 'content', 'parts').flatMap((part, index) => [callChannel(channel, [...path, index]), `${channel}.partial`].flatMap((each) => namedTool(each, textAt(part, 'functionCall', 'name'))));
  });
}

/** Parts are numbered anew in every chunk. */
function callChannel(candidate: string, numbers: Delta['path']): string {
  return `${candidate}.call.${numbers.join('.')}`;
}

function chunkDeltas(event: unknown, path: Delta['path']): readonly Delta[] {
  return listAt(event, ...path, 'candidates').flatMap((candidate, position) => {
    const channel = `candidates.${indexAt(candidate, 'index', position)}`;
    return listAt(candidate, 'content', 'parts').flatMap((_part, index) => partDeltas(event, { channel, call: callChannel(channel, [...path, index]), index, path: [...path, 'candidates', position, 'content', 'parts', index] }));
  });
}

interface PartPlace {
  readonly channel: string;
  /** Of a call that it is. */
  readonly call: string;
  readonly index: number;
  readonly path: Delta['path'];
}

function partDeltas(event: unknown, { channel, call, index, path }: PartPlace): readonly Delta[] {
  const isThought = at(event, ...path, 'thought') === true;
  return [
    ...piece(event, { channel: `${channel}.${isThought ? 'thought' : 'text'}`, kind: isThought ? 'thinking' : 'text', path: [...path, 'text'] }),
    ...valuePiece(event, { channel: call, path: [...path, 'functionCall', 'args'] }),
    ...listAt(event, ...path, 'functionCall', 'partialArgs').flatMap((partial, piecePosition) =>
      piece(event, { channel: partialChannel(channel, partial), kind: 'arguments-text', path: [...path, 'functionCall', 'partialArgs', piecePosition, 'stringValue'] })),
    ...piece(event, { channel: `${channel}.code.${index}.whole`, kind: 'arguments-text', path: [...path, 'executableCode', 'code'] }),
    ...piece(event, { channel: `${channel}.result.${index}.whole`, kind: 'text', path: [...path, 'codeExecutionResult', 'output'] }),
  ];
}

/** Vertex streams string arguments in pieces, by where they stand: `$.path`. Source: @google/genai 3.1.0, `PartialArg`. */
function partialChannel(candidate: string, partial: unknown): string {
  return `${candidate}.partial.${(textAt(partial, 'jsonPath') ?? '').slice(0, 256)}`;
}

function partialCallEnds(event: unknown): readonly string[] {
  return listAt(event, 'candidates').flatMap((candidate, position) => {
    const channel = `candidates.${indexAt(candidate, 'index', position)}`;
    return listAt(candidate, 'content', 'parts').flatMap((part) => {
      const call = at(part, 'functionCall');
      if (isObject(call) && at(call, 'willContinue') !== true) return [`${channel}.partial`];
      return listAt(call, 'partialArgs').flatMap((partial) => (at(partial, 'willContinue') === true ? [] : [partialChannel(channel, partial)]));
    });
  });
}
