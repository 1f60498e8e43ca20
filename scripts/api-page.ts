/** Writes `docs/api.md`: the library's exports with their docstrings, from the declarations of the package. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { exportsOf, type Declared } from './api-page/exports.ts';
import { buildTypes } from './build-types.ts';

export const apiPageFile = resolve(import.meta.dirname, '../docs/api.md');

const heading = `# API

Every export of the package, with its declaration. This page is generated from the sources by \`node scripts/api-page.ts\`. [Library](library.md) has programs to start from.
`;

export function apiPage(): string {
  const into = mkdtempSync(join(tmpdir(), 'holdfast-api-'));
  try {
    buildTypes(into);
    const declared = exportsOf(join(into, 'index.d.ts')).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    return [heading, ...declared.map(section)].join('\n');
  } finally {
    rmSync(into, { recursive: true });
  }
}

/** The page leaves out private members. */
function section({ name, text }: Declared): string {
  const shown = text
    .split('\n')
    .filter((line) => !/^\s+(?:#private;|private )/u.test(line))
    .join('\n');
  return `## ${name}\n\n\`\`\`text\n${shown}\n\`\`\`\n`;
}

if (process.argv[1] === import.meta.filename) writeFileSync(apiPageFile, apiPage());
