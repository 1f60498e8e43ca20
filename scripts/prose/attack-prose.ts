import type { SourceProse } from './source-prose.ts';

/**
 * The title, the prose, the gap and the comments of an attack's Markdown. The title and the gap are texts without
 * Markdown. A comment is a line of a script that begins with `#` or `//`; comments in a row are one text.
 */
export function proseOfAttack(text: string): readonly SourceProse[] {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.startsWith('```'));
  const [title = '', ...prose] = start === -1 ? lines : lines.slice(0, start);
  return [
    { kind: 'message', line: 1, text: title.replace(/^# /u, '') },
    { kind: 'message', line: 2, text: prose.join('\n') },
    ...(start === -1 ? [] : inScripts(lines, start)),
  ];
}

function inScripts(lines: readonly string[], start: number): readonly SourceProse[] {
  const found: SourceProse[] = [];
  let lastLine: number | undefined;
  for (const [index, line] of lines.entries()) {
    if (index < start) continue;
    const gap = /^\s*"gap": "(?<gap>.*)",?$/u.exec(line)?.groups?.['gap'];
    if (gap !== undefined) found.push({ kind: 'message', line: index + 1, text: gap });
    const comment = /^\s*(?:#|\/\/) (?<comment>.+)$/u.exec(line)?.groups?.['comment'];
    const last = found.at(-1);
    if (comment === undefined) continue;
    if (last !== undefined && lastLine === index - 1)
      found[found.length - 1] = { ...last, text: `${last.text}\n${comment}` };
    else found.push({ kind: 'comment', line: index + 1, text: comment });
    lastLine = index;
  }
  return found;
}
