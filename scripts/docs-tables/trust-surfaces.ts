import { surfaces } from '../../src/trust/surfaces/table.ts';
import type { FieldEffect, Surface } from '../../src/trust/types.ts';
import { code, markdownTable } from './markdown.ts';

/** `docs/trust-surfaces.md`: what a repository can bring that executes, redirects or speaks to an agent. */
export function trustSurfacesPage(): string {
  return [
    intro,
    ...(['hidden', 'listed'] as const).flatMap((gate) => [
      headings[gate],
      markdownTable(
        ['file', 'kind', 'read by', 'what counts in it', 'source'],
        surfaces.filter((surface) => surface.gate === gate).map(cells),
      ),
    ]),
  ].join('\n\n');
}

const intro = `# What trust is about

Files of a repository by their names, at any depth, whatever the case of their letters. [Trust](trust.md) says what becomes of them.

This page is generated from \`src/trust/surfaces\` by \`scripts/docs-tables.ts\`.`;

const headings: Readonly<Record<Surface['gate'], string>> = {
  hidden: '## Not in a box until they are approved\n\nPrograms load them by themselves when they start.',
  listed: '## Listed, hashed and compared\n\nThey take effect in a box when someone runs there what uses them.',
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
