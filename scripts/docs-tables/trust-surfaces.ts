import { surfaces } from '../../src/trust/surfaces/table.ts';
import type { FieldEffect, Surface } from '../../src/trust/types.ts';
import { code, markdownTable } from './markdown.ts';

/** `docs/trust-surfaces.md`: files of a repository that execute, redirect or speak to an agent. */
export function trustSurfacesPage(): string {
  return [
    intro,
    ...(['hidden', 'listed'] as const).flatMap((gate) => [
      headings[gate],
      markdownTable(
        ['file', 'kind', 'read by', 'relevant content', 'source'],
        surfaces.filter((surface) => surface.gate === gate).map(cells),
      ),
    ]),
  ].join('\n\n');
}

const intro = `# Files that need trust

Look up the repository files that can run programs, redirect connections or instruct an agent. Names match at any depth, in upper and lower
case. [Trust](trust.md) explains approvals.

This page is generated from \`src/trust/surfaces\` by \`scripts/docs-tables.ts\`.`;

const headings: Readonly<Record<Surface['gate'], string>> = {
  hidden: '## Withheld until approved\n\nPrograms load these files by themselves when they start.',
  listed: '## Listed, hashed and compared\n\nThese files take effect when someone runs a program that uses them.',
};

function cells({ components, kind, clients, fields, source }: Surface): readonly string[] {
  const effects = [...new Set(fields.map(({ effect }) => words[effect]))];
  return [
    code([components.join('/')]),
    kind,
    clients.join(', '),
    effects.length === 0 ? 'all of it' : `fields that ${effects.join(', ')}`,
    sourceText(source),
  ];
}

const words: Readonly<Record<FieldEffect, string>> = {
  runs: 'run',
  connects: 'connect',
  redirects: 'redirect',
  instructs: 'speak',
  permits: 'permit',
};

function sourceText(source: string): string {
  return source.replaceAll(/https:\/\/\S+[^\s:,;.)]/gu, (url) => `<${url}>`);
}
