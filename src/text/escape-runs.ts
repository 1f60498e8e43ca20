import { eachRun } from './filter/each-run.ts';

/**
 * Escapes one line of a file for a diff: hidden characters, and all control characters but the tab, become `\u{…}`.
 * Emoji and right-to-left words stay. A backslash stays too, so the result is for reading only.
 */
export function escapeRuns(line: string): string {
  if (/^[\t\x20-\x7e]*$/u.test(line)) return line;
  let shown = '';
  let from = 0;
  eachRun(line, 'code', ({ kind, start, end }) => {
    if (kind === 'bracket') return 'on';
    shown += line.slice(from, start) + line.slice(start, end).replaceAll(/[^]/gu, escaped);
    from = end;
    return 'on';
  });
  // A CR at the end of a line, and the line break itself.
  return (shown + line.slice(from)).replaceAll(/(?!\t)\p{Cc}/gu, escaped);
}

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
