import type { Writable } from 'node:stream';
import { field, valueOf } from '../fields.ts';
import type { Body, Field, Fields } from '../message.ts';
import { fieldLines, gather, type OutgoingFraming } from '../write-body.ts';

export interface OutgoingHead {
  /** Request line or status line, without CRLF. */
  readonly line: string;
  readonly fields: Fields;
  /** Fields for this connection: `Host` stands first, `Connection` last. */
  readonly first?: Fields;
  readonly last?: Fields;
  readonly framing: OutgoingFraming;
  readonly body: Body | undefined;
}

/** Writes a head. What follows in the same turn leaves in the same segment. */
export function writeHead(sink: Writable, { line, fields, first = [], last = [], framing, body }: OutgoingHead): void {
  gather(sink);
  const all = [...first, ...withFraming(fields, framing, body), ...last];
  sink.write(`${line}\r\n${fieldLines(all)}\r\n`, 'latin1');
}

/** The sender's own length field stays where it is as long as it is true. */
function withFraming(fields: Fields, framing: OutgoingFraming, body: Body | undefined): Fields {
  if (framing === 'none') return fields;
  const stated = valueOf(fields, 'content-length');
  if (framing === 'length' && stated === String(body?.length)) return fields;
  const rest = fields.filter(({ key }) => key !== 'content-length');
  return [...rest, ...framingFields(framing, body)];
}

function framingFields(framing: OutgoingFraming, body: Body | undefined): readonly Field[] {
  if (framing === 'chunked') return [field('Transfer-Encoding', 'chunked')];
  return framing === 'length' ? [field('Content-Length', String(body?.length))] : [];
}
