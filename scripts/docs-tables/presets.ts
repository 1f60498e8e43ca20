import { type Preset, presetNames, presets } from '../../src/policy/builtin/presets/index.ts';
import { code, markdownTable } from './markdown.ts';

/** `docs/presets.md`: the hosts behind every name of a preset. */
export function presetsPage(): string {
  const all: readonly (readonly [string, Preset])[] = presetNames.map((name) => [name, presets[name]]);
  return [
    intro,
    markdownTable(
      ['preset', 'is for', 'hosts'],
      all.map(([name, preset]) => [code([name]), preset.purpose, code(preset.hosts.map(({ pattern }) => pattern))]),
    ),
    '## What each host is for',
    ...all.map(([name, preset]) => section(name, preset)),
  ].join('\n\n');
}

const intro = `# Presets

Hosts that belong together, under one name: \`holdfast run --preset npm\`, or \`presets = ["npm"]\` under \`[network]\`. [Network](network.md#presets)
says how to use them. A preset opens what it lists and nothing else: no wildcard stands for a place where anybody's uploads answer, and a
mirror or a private registry of yours has to be named by itself.

A host that takes uploads is a way out for anyone who may upload there. That holds for package registries as well as for forges.

This page is generated from \`src/policy/builtin/presets\` by \`scripts/docs-tables.ts\`.`;

function section(name: string, { purpose, sources, hosts }: Preset): string {
  const links = sources.map((source) => `<${source}>`).join(', ');
  return `### ${name}\n\n${purpose[0]?.toUpperCase()}${purpose.slice(1)}. Sources: ${links}.\n\n${markdownTable(
    ['host', 'for'],
    hosts.map(({ pattern, reason }) => [code([pattern]), reason]),
  )}`;
}
