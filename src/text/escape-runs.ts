import { eachRun } from './filter/each-run.ts';

/**
 * One line of a file, for a diff: what does not show is written `\u{…}`, and so is every control character but the tab.
 * Emoji and right-to-left words stay as they are. A backslash stays too, so the result is for reading only.
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
  // A CR that ends a line, and the line break itself.
  return (shown + line.slice(from)).replaceAll(/(?!\t)\p{Cc}/gu, escaped);
}

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
