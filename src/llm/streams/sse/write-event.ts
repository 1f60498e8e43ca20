import type { SseEvent } from '../../types.ts';
import { eachLine, type EventLine } from './read-event.ts';

const anyBreak = /\r\n|\n|\r/u;
const breaksAndNul = /[\r\n\0]+/gu;

/** An event with its blank line. A name or an id cannot have line breaks or NUL: they are left out. In data, each kind of break is read as LF. */
export function writeEvent({ event, data, id }: SseEvent, lineBreak = '\n'): string {
  return [
    ...(event === undefined ? [] : [`event: ${event.replace(breaksAndNul, '')}`]),
    ...(id === undefined ? [] : [`id: ${id.replace(breaksAndNul, '')}`]),
    ...data.split(anyBreak).map((line) => `data: ${line}`),
    '',
    '',
  ].join(lineBreak);
}

/** The text of an event with other data, where its first line of data stands. Every other line stays as it is. */
export function withData(text: string, data: string): string {
  const parts: string[] = [];
  let kept = 0;
  eachLine(text, (line) => {
    if (line.field !== 'data') return;
    const isFirst = kept === 0;
    parts.push(text.slice(kept, line.start), isFirst ? dataLines(text, line, data) : '');
    kept = line.next;
  });
  return parts.join('') + text.slice(kept);
}

/** The break that the event's first line has. */
export function lineBreakOf(text: string): string {
  return anyBreak.exec(text)?.[0] ?? '\n';
}

/** As the line was written. Without a space behind the colon, text that begins with one would lose it. */
function dataLines(text: string, { start, end, next }: EventLine, data: string): string {
  const lineBreak = text.slice(end, next);
  const isTight = text.charAt(start + 4) === ':' && text.charAt(start + 5) !== ' ';
  return data
    .split(anyBreak)
    .map((line) => `data:${isTight && !line.startsWith(' ') ? '' : ' '}${line}${lineBreak}`)
    .join('');
}
