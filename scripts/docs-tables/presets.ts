import { type Preset, presetNames, presets } from '../../src/policy/builtin/presets/index.ts';
import { code, markdownTable } from './markdown.ts';

/** `docs/presets.md`: the hosts behind every name of a preset. */
export function presetsPage(): string {
  const all: readonly (readonly [string, Preset])[] = presetNames.map((name) => [name, presets[name]]);
  return [
    intro,
    markdownTable(
      ['preset', 'purpose', 'hosts'],
      all.map(([name, preset]) => [code([name]), preset.purpose, code(preset.hosts.map(({ pattern }) => pattern))]),
    ),
    '## Purpose of each host',
    ...all.map(([name, preset]) => section(name, preset)),
  ].join('\n\n');
}

const intro = `# Presets

Look up the hosts of each preset. To use one, write \`holdfast run --preset npm\`, or \`presets = ["npm"]\` under \`[network]\`:
see [Network](network.md#presets). A preset opens exactly the listed hosts. No wildcard covers a place where anyone can publish. Add a
mirror or a private registry of your own under \`hosts\`.

A host that accepts uploads is a way out of the box for anyone who may upload there. This is true for package registries and for forges.

This page is generated from \`src/policy/builtin/presets\` by \`scripts/docs-tables.ts\`.`;

function section(name: string, { purpose, sources, hosts }: Preset): string {
  const links = sources.map((source) => `<${source}>`).join(', ');
  return `### ${name}\n\n${purpose[0]?.toUpperCase()}${purpose.slice(1)}. Sources: ${links}.\n\n${markdownTable(
    ['host', 'purpose'],
    hosts.map(({ pattern, reason }) => [code([pattern]), reason]),
  )}`;
}
