/** Writes the pages of `docs/` that are tables of data. Run after a change of `src/policy/builtin` or `src/plan/seccomp/rules`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { protectedPathsPage } from './docs-tables/protected-paths.ts';
import { systemCallsPage } from './docs-tables/system-calls.ts';

export const generatedPages: Readonly<Record<string, () => string>> = {
  'protected-paths.md': protectedPathsPage,
  'system-calls.md': systemCallsPage,
};

export const docsDirectory = join(import.meta.dirname, '../docs');

if (import.meta.main) {
  for (const [name, page] of Object.entries(generatedPages)) writeFileSync(join(docsDirectory, name), `${page()}\n`);
}
