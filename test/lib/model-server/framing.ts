import { crc32 } from 'node:zlib';
import type { ModelEvent, StreamFraming } from './types.ts';

export const contentTypes: Readonly<Record<StreamFraming, string>> = {
  sse: 'text/event-stream; charset=utf-8',
  array: 'application/json; charset=UTF-8',
  lines: 'application/x-ndjson',
  'event-stream': 'application/vnd.amazon.eventstream',
};

/** The bytes of each event of a stream. */
export function frameEvents(framing: StreamFraming, events: readonly ModelEvent[]): readonly Buffer[] {
  switch (framing) {
    case 'sse':
      return events.map(({ name, data }) =>
        Buffer.from(`${name === undefined ? '' : `event: ${name}\n`}data: ${data}\n\n`),
      );
    case 'lines':
      return events.map(({ data }) => Buffer.from(`${data}\n`));
    case 'array':
      return events.map(({ data }, index) =>
        Buffer.from(`${index === 0 ? '[' : ',\r\n'}${data}${index === events.length - 1 ? '\n]' : ''}`),
      );
    case 'event-stream':
      return events.map((event) => eventStreamMessage(headersOf(event), Buffer.from(event.data)));
  }
}

/** A keep-alive of this framing, or undefined if it has none. */
export function commentIn(framing: StreamFraming): Buffer | undefined {
  return framing === 'sse' ? Buffer.from(': OPENROUTER PROCESSING\n\n') : undefined;
}

function headersOf({ name = '', isException }: ModelEvent): Readonly<Record<string, string>> {
  const type = isException ? { ':exception-type': name } : { ':event-type': name };
  return { ...type, ':content-type': 'application/json', ':message-type': isException ? 'exception' : 'event' };
}

/**
 * Source: the Smithy specification, "Amazon Event Stream": prelude with checksum, headers, payload, checksum; all
 * numbers big-endian.
 */
export function eventStreamMessage(headers: Readonly<Record<string, string>>, payload: Buffer): Buffer {
  const head = Buffer.concat(Object.entries(headers).map(([name, value]) => stringHeader(name, Buffer.from(value))));
  const prelude = Buffer.alloc(12);
  prelude.writeUInt32BE(16 + head.length + payload.length, 0);
  prelude.writeUInt32BE(head.length, 4);
  prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8);
  const checked = Buffer.concat([prelude, head, payload]);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(checked));
  return Buffer.concat([checked, checksum]);
}

/** Type 7 is a string with a length of two bytes. */
function stringHeader(name: string, value: Buffer): Buffer {
  return Buffer.concat([
    Buffer.of(name.length),
    Buffer.from(name),
    Buffer.of(7, value.length >> 8, value.length & 255),
    value,
  ]);
}
