import {
  metadataAddresses,
  type SpecialBlock,
  specialBlocksV4,
  specialBlocksV6,
} from '../../src/egress/ssrf/classify-address.ts';
import { specialNames } from '../../src/egress/ssrf/vet.ts';
import { code, groupedBy, markdownTable } from './markdown.ts';

/** `docs/special-addresses.md`: what no name and no `any` leads to. */
export function specialAddressesPage(): string {
  const blocks = [...specialBlocksV4, ...specialBlocksV6];
  return [
    intro,
    '## Addresses',
    'And every address of an interface of the host itself, whichever it is.',
    '### Where clouds hand out credentials',
    addressTable(metadataAddresses),
    '### IPv4',
    addressTable(specialBlocksV4.filter(isClosed)),
    '### IPv6',
    `Also everything outside of \`2000::/3\`, which IANA has not given out for the internet, and interface identifiers of ISATAP in it. On a host without
IPv4, an address of the well-known NAT64 prefix stands for the IPv4 address that it carries, and that is looked at.`,
    addressTable(specialBlocksV6.filter(isClosed)),
    '### In the registries, and yet open',
    addressTable(blocks.filter((block) => !isClosed(block))),
    '## Names',
    'With everything below them, and names without a dot. `localhost` alone is an entry of the policy like any other.',
    markdownTable(
      ['what', 'names'],
      groupedBy(specialNames, ({ meaning }) => meaning).map(([meaning, items]) => [
        meaning,
        code(items.map(({ name }) => name)),
      ]),
    ),
  ].join('\n\n');
}

const intro = `# Special addresses and names

What a granted name never leads to, and \`any\` does not open. An address of this page is reached where the policy spells it out, as an address
or as a network around it, with its port. Under a name of this page every address needs that. \`198.18.0.0/15\`, from which the names of a
box have their addresses, is never dialled. [Network security](network-security.md#names-that-lead-inside) says how.

This page is generated from \`src/egress/ssrf\` by \`scripts/docs-tables.ts\`.`;

function isClosed({ treatment }: SpecialBlock): boolean {
  return treatment === 'special';
}

function addressTable(blocks: readonly SpecialBlock[]): string {
  return markdownTable(
    ['addresses', 'what', 'source'],
    blocks.map(({ block, name, source }) => [code([block.replace(/\/(?:32|128)$/u, '')]), name, source]),
  );
}
