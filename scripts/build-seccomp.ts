import { writeFileSync } from 'node:fs';
import { renderBuiltFilters } from './seccomp/render-built.ts';

/** Run this after every change of `src/plan/seccomp` or `scripts/seccomp`. */
writeFileSync(new URL('../src/plan/seccomp/built-filters.ts', import.meta.url), renderBuiltFilters());
