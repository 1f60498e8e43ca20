import { crc32 } from 'node:zlib';
import { slowEvents } from '../../src/llm/streams/testing/slow-sse.ts';
import { isUtf8 } from '../../src/dlp/json/testing/reference.ts';
import { readHeaders } from '../../src/llm/streams/event-stream/event-stream-editor.ts';
import { createEventStreamEditor, createLinesEditor, createSseEditor } from '../../src/llm/index.ts';
import { type EditorKind, streamProblem } from './check-stream.ts';
import { slowlyWithoutMarker, withoutMarker } from './marked-json.ts';
import { mutated } from './mutate.ts';
import { bedrockExchanges, lineExchanges, sseExchanges, streamOf } from './seeds.ts';
import type { Target } from './types.ts';
import type { Exchange } from '../fixtures/llm/index.ts';

const sse: EditorKind = {
  open: (replacement, options) =>
    createSseEditor(
      ({ data }) => (replacement === undefined ? 'same' : { data: withoutMarker(data, replacement) }),
      options,
    ),
  isRight(input, output, replacement) {
    if (!isUtf8(input)) return true;
    // A lone surrogate comes out of JSON as an escape, and out of any other text not at all.
    const wanted = slowEvents(input.toString()).map((event) => ({
      ...event,
      data: slowlyWithoutMarker(event.data, replacement),
    }));
    return JSON.stringify(slowEvents(output.toString())) === JSON.stringify(wanted);
  },
};

const lines: EditorKind = {
  open: (replacement, options) =>
    createLinesEditor(
      (line) => (replacement === undefined ? 'same' : { data: withoutMarker(line, replacement) }),
      options,
    ),
  isRight(input, output, replacement) {
    if (!isUtf8(input)) return true;
    const [, mark = '', text = ''] = /^(\ufeff?)(.*)$/su.exec(input.toString()) ?? [];
    const wanted = text.split(/(?<=\n)/u).map((each) => {
      const [, line = '', end = ''] = /^(.*?)((?:\r?\n)?)$/su.exec(each) ?? [];
      const edited = slowlyWithoutMarker(line, replacement);
      return (edited === line ? line : edited.replaceAll(/[\r\n]+/gu, ' ')) + end;
    });
    return output.equals(Buffer.from(mark + wanted.join('')));
  },
};

const eventStream: EditorKind = {
  open: (replacement, options) =>
    createEventStreamEditor(
      ({ payload }) =>
        replacement === undefined ? 'same' : { payload: editedPayload(payload, replacement, withoutMarker) },
      options,
    ),
  isRight: (input, output, replacement) => output.equals(slowlyEdited(input, replacement)),
};

function editedPayload(payload: Buffer, replacement: string, edit: typeof withoutMarker): Buffer {
  return isUtf8(payload) ? Buffer.from(edit(payload.toString(), replacement)) : payload;
}

/** The published layout: length, length of headers, checksum, headers, payload, checksum. */
function slowlyEdited(input: Buffer, replacement: string): Buffer {
  const parts: Buffer[] = [];
  let rest = input;
  for (let message = firstOf(rest); message !== undefined; message = firstOf(rest)) {
    parts.push(
      readHeaders(message.headers) === undefined
        ? message.whole
        : written(message.headers, editedPayload(message.payload, replacement, slowlyWithoutMarker)),
    );
    rest = rest.subarray(message.whole.length);
  }
  return Buffer.concat([...parts, rest]);
}

function firstOf(
  bytes: Buffer,
): { readonly whole: Buffer; readonly headers: Buffer; readonly payload: Buffer } | undefined {
  if (bytes.length < 16) return undefined;
  const [total, headers] = [bytes.readUInt32BE(0), bytes.readUInt32BE(4)];
  const isWhole =
    bytes.readUInt32BE(8) === crc32(bytes.subarray(0, 8)) && total >= 16 + headers && total <= bytes.length;
  const whole = bytes.subarray(0, total);
  if (!isWhole || whole.readUInt32BE(total - 4) !== crc32(whole.subarray(0, -4))) return undefined;
  return { whole, headers: whole.subarray(12, 12 + headers), payload: whole.subarray(12 + headers, -4) };
}

function written(headers: Buffer, payload: Buffer): Buffer {
  const prelude = Buffer.alloc(12);
  prelude.writeUInt32BE(16 + headers.length + payload.length, 0);
  prelude.writeUInt32BE(headers.length, 4);
  prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8);
  const end = Buffer.alloc(4);
  end.writeUInt32BE(crc32(Buffer.concat([prelude, headers, payload])), 0);
  return Buffer.concat([prelude, headers, payload, end]);
}

export const streamTargets: readonly Target[] = [
  targetOf('server-sent events', sse, sseExchanges),
  targetOf('lines of JSON', lines, [...lineExchanges, ...sseExchanges]),
  targetOf('event streams', eventStream, bedrockExchanges),
];

function targetOf(name: string, kind: EditorKind, from: readonly Exchange[]): Target {
  return {
    name,
    generate(random) {
      const bytes = streamOf(random.pick(from), random);
      // Most changes in an event stream break a checksum, and end the reading.
      return name === 'event streams' && random.chance(0.7) ? bytes : mutated(bytes, random);
    },
    problemOf: (bytes, seed) => streamProblem(kind, bytes, seed),
    goOver(bytes) {
      const editor = kind.open('x', {});
      for (let at = 0; at < bytes.length; at += 1000) editor.push(bytes.subarray(at, at + 1000));
      editor.end();
    },
  };
}
