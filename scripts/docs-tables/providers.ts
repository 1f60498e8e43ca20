import { type Provider, providerNames, providers } from '../../src/policy/builtin/providers/index.ts';
import type { Injection } from '../../src/policy/credentials/injection.ts';
import { code, markdownTable } from './markdown.ts';

/** `docs/providers.md`: the settings behind every row of the provider table. */
export function providersPage(): string {
  const all: readonly (readonly [string, Provider])[] = providerNames.map((name) => [name, providers[name]]);
  return [
    intro,
    markdownTable(
      ['provider', 'key', 'hosts', 'variables'],
      all.map(([name, provider]) => [
        code([name]),
        `${provider.title}: ${provider.key}`,
        code(hostsOf(provider)),
        code(usual(provider)),
      ]),
    ),
    '## Details',
    ...all.map(([name, provider]) => section(name, provider)),
  ].join('\n\n');
}

const intro = `# Providers

Look up the services that Holdfast knows. \`provider = "openai"\` in a table of [\`[[credentials]]\`](policy.md#credentials) fills in hosts, the
form of requests, and variables for the phantom. You add the source of the secret. Keys in your own table take precedence. A provider does not open the network: grant its hosts under \`[network]\` as well.

Some services take a key in several ways, one row each. If your table names hosts, each host uses the row that lists it. A host that no row
lists, such as your own instance, uses all rows.

This page is generated from \`src/policy/builtin/providers\` by \`scripts/docs-tables.ts\`.`;

function section(name: string, provider: Provider): string {
  const { title, key, sources, ways, variables, baseUrls, shapes, note } = provider;
  const links = sources.map((source) => (source.startsWith('https:') ? `<${source}>` : code([source]))).join(', ');
  const rows = ways.map((way) => [
    code(way.hosts.length > 0 ? way.hosts : [ways[0].hostExample ?? '']),
    [...(way.methods ?? []), ...(way.paths === undefined ? [] : [code(way.paths)])].join(' ') || 'every request',
    injectionWords(way.injection),
    way.use === 'always' ? 'always' : 'for its phantom',
  ]);
  const lines = [
    `- variables: ${variables.map((variable) => `${code([variable.name])} (${variable.readBy}${variable.delivered === 'asked' ? '; only where `environment` names it' : ''})`).join(', ')}`,
    ...(baseUrls.length === 0
      ? []
      : [
          `- base URLs, where \`base_urls\` names them: ${baseUrls.map((variable) => `${code([variable.path === '' ? variable.name : `${variable.name}=${variable.path}`])} (${variable.readBy})`).join(', ')}`,
        ]),
    ...(shapes.length === 0
      ? []
      : [
          `- forms of the key: ${shapes.map((shape) => `${shape.of} (${[...(shape.prefix === '' ? [] : [code([shape.prefix])]), `${shape.length} characters of ${shape.alphabet}${shape.checksum === 'none' ? '' : ' with a checksum'}`].join(', ')})`).join('; ')}`,
        ]),
  ];
  return [
    `### ${name}`,
    `${title}, ${key}. Sources: ${links}.`,
    markdownTable(['hosts', 'requests', 'sent as', 'inserted'], rows),
    lines.join('\n'),
    ...(note === undefined ? [] : [note]),
  ].join('\n\n');
}

function hostsOf({ ways }: Provider): readonly string[] {
  return [...new Set(ways.flatMap((way) => (way.hosts.length > 0 ? way.hosts : [ways[0].hostExample ?? ''])))];
}

function usual({ variables }: Provider): readonly string[] {
  return variables.filter(({ delivered }) => delivered === 'always').map(({ name }) => name);
}

/** The credential as the server gets it. Providers use these kinds. */
function injectionWords(injection: Injection): string {
  switch (injection.kind) {
    case 'header':
      return code([`${injection.name}: ${injection.prefix ?? ''}…`]);
    case 'bearer':
      return code(['Authorization: Bearer …']);
    case 'basic':
    case 'git':
      return `${code(['Authorization: Basic …'])} of ${code([injection.user])}${injection.kind === 'git' ? ', on the paths of git' : ''}`;
    case 'query':
      return code([`?${injection.parameter}=…`]);
    case 'sigv4':
      return 'a signature (SigV4)';
    case 'service-account':
      return 'a token that the key signs for';
    default:
      return injection.kind;
  }
}
