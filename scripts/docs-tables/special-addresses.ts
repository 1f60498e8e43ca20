import {
  metadataAddresses,
  type SpecialBlock,
  specialBlocksV4,
  specialBlocksV6,
} from '../../src/egress/ssrf/classify-address.ts';
import { specialNames } from '../../src/egress/ssrf/vet.ts';
import { code, groupedBy, markdownTable } from './markdown.ts';

/** `docs/special-addresses.md`: addresses that neither a name nor `any` opens. */
export function specialAddressesPage(): string {
  const blocks = [...specialBlocksV4, ...specialBlocksV6];
  return [
    intro,
    '## Addresses',
    "Every address of the host's own interfaces counts as well.",
    '### Where clouds hand out credentials',
    addressTable(metadataAddresses),
    '### IPv4',
    addressTable(specialBlocksV4.filter(isClosed)),
    '### IPv6',
    `All addresses outside \`2000::/3\` count too, because IANA has not assigned them for the internet. So do interface identifiers of ISATAP within it. On
a host without IPv4, Holdfast checks the IPv4 address inside an address of the well-known NAT64 prefix.`,
    addressTable(specialBlocksV6.filter(isClosed)),
    '### Registered, but open',
    addressTable(blocks.filter((block) => !isClosed(block))),
    '## Names',
    'Each name includes all names below it. Names without a dot count too. A policy may list `localhost` like any other host.',
    markdownTable(
      ['kind', 'names'],
      groupedBy(specialNames, ({ meaning }) => meaning).map(([meaning, items]) => [
        meaning,
        code(items.map(({ name }) => name)),
      ]),
    ),
  ].join('\n\n');
}

const intro = `# Special addresses and names

Look up the addresses that a granted name never leads to, and that \`any\` does not open. To reach one, write it in the policy with its port, as
an address or as a network around it. For a name on this page, every address needs this. Holdfast never dials \`198.18.0.0/15\`, because the
names of a box get their addresses from there. [Network security](network-security.md#names-that-lead-inside) explains the checks.

This page is generated from \`src/egress/ssrf\` by \`scripts/docs-tables.ts\`.`;

function isClosed({ treatment }: SpecialBlock): boolean {
  return treatment === 'special';
}

function addressTable(blocks: readonly SpecialBlock[]): string {
  return markdownTable(
    ['addresses', 'use', 'source'],
    blocks.map(({ block, name, source }) => [code([block.replace(/\/(?:32|128)$/u, '')]), name, source]),
  );
}
