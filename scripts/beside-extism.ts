/** Measures plug-ins in Extism and in Holdfast, and writes the table of docs/tools.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { besideExtism, caseNames, type Column } from './beside-extism/measure.ts';
import { markdownTable } from './docs-tables/markdown.ts';

const page = join(import.meta.dirname, '../docs/tools.md');
const heading = '## Beside Extism\n';

/** The table as the page has it. */
export function extismTable(columns: readonly Column[]): string {
  return markdownTable(
    ['', ...columns.map(({ host }) => host)],
    caseNames.map((name, index) => [name, ...columns.map(({ outcomes }) => outcomes[index] ?? '')]),
  );
}

export function writtenTable(): string {
  return /\n(\|[^]*?\n)\n/u.exec(after())?.[1]?.trimEnd() ?? '';
}

function after(): string {
  return readFileSync(page, 'utf8').split(heading)[1] ?? '';
}

if (import.meta.main)
  writeFileSync(page, readFileSync(page, 'utf8').replace(writtenTable(), extismTable(await besideExtism('all'))));
