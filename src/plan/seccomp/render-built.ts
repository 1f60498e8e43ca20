import { type Architecture, architectures } from './architecture.ts';
import { buildFilter } from './build.ts';

/** The text of `built-filters.ts`. `scripts/build-seccomp.ts` writes it, and a test compares it. */
export function renderBuiltFilters(): string {
  const entries = (Object.keys(architectures) as Architecture[]).flatMap((architecture) =>
    (['deny', 'allow'] as const).map((ptrace) => {
      const text = Buffer.from(buildFilter({ architecture, ptrace })).toString('base64');
      return `  '${architecture}-${ptrace}':\n    '${text}',\n`;
    }),
  );
  return `${heading}export const builtFilters = {\n${entries.join('')}} as const;\n`;
}

const heading = `// Written by scripts/build-seccomp.ts from rules/. Do not edit: a test compares this file with the rules.\n\n`;
