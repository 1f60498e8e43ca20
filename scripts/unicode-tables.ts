import { writeFileSync } from 'node:fs';
import { renderUnicodeTables } from './unicode-tables/render.ts';

/** Run this when the pinned Unicode data package changes. */
writeFileSync(new URL('../src/text/unicode/tables.ts', import.meta.url), await renderUnicodeTables());
