import type { SseEvent } from '../../types.ts';

/** Reads a whole stream by WHATWG HTML §9.2.6, step by step. Reports an id only with its own event. */
export function slowEvents(stream: string): readonly SseEvent[] {
  const events: SseEvent[] = [];
  let data = '';
  let type = '';
  let id: string | undefined;
  const lines = stream.replace(/^\ufeff/u, '').split(/\r\n|\n|\r/u);
  for (const line of lines.slice(0, -1)) {
    if (line === '') {
      if (data !== '')
        events.push({
          data: data.slice(0, -1),
          ...(type === '' ? {} : { event: type }),
          ...(id === undefined ? {} : { id }),
        });
      data = '';
      type = '';
      id = undefined;
      continue;
    }
    if (line.startsWith(':')) continue;
    const [, field = '', value = ''] = /^([^:]*)(?:: ?)?(.*)$/su.exec(line) ?? [];
    if (field === 'event') type = value;
    if (field === 'data') data += `${value}\n`;
    if (field === 'id' && !value.includes('\0')) id = value;
  }
  return events;
}

/**
 * The length of a stream's beginning that must wait for more bytes. That is an event without a blank line, or a
 * possible byte order mark. Byte by byte.
 */
export function slowlyHeld(stream: Buffer): number {
  const mark = Buffer.from('\ufeff');
  if (stream.length < mark.length && stream.equals(mark.subarray(0, stream.length))) return stream.length;
  let held = 0;
  let line: 'new' | 'comment' | 'field' = 'new';
  let before = '';
  for (const octet of stream.subarray(stream.subarray(0, 3).equals(mark) ? 3 : 0)) {
    const here = String.fromCharCode(octet);
    const isSecondHalf = here === '\n' && before === '\r';
    before = here;
    if (isSecondHalf) {
      if (held > 0) held += 1;
      continue;
    }
    const isBreak = here === '\n' || here === '\r';
    if (line === 'new' && isBreak) held = 0;
    else if (line === 'new' && here === ':' && held === 0) line = 'comment';
    else if (line === 'comment') line = isBreak ? 'new' : 'comment';
    else {
      held += 1;
      line = isBreak ? 'new' : 'field';
    }
  }
  return held;
}
