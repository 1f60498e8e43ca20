import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandClasses } from '../../src/shell/class/command-class.ts';
import { confusion } from '../../src/shell/class/testing/labelled-lines.ts';
import { code, markdownTable } from './markdown.ts';

const marks = /(?<=<!-- table of classes -->\n)[^]*?(?=<!-- end of the table -->)/u;

/** The existing page about commands, with a newly measured table of classes. */
export function commandsPage(): string {
  const page = readFileSync(join(import.meta.dirname, '../../docs/command-classes.md'), 'utf8');
  return page.replace(marks, () => `${classTable()}\n`).replace(/\n$/u, '');
}

function classTable(): string {
  const short = commandClasses.map((name) => name.split(' ', 1)[0] ?? '');
  const rows = confusion().map(([label, counts]) => [
    code([label]),
    String(counts.reduce((sum, count) => sum + count, 0)),
    ...counts.map((count) => (count === 0 ? '–' : String(count))),
  ]);
  return markdownTable(['label', 'lines', ...short.map((name) => code([name]))], rows);
}
