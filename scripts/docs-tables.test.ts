import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { metadataAddresses, specialBlocksV4, specialBlocksV6 } from '../src/egress/ssrf/classify-address.ts';
import { specialNames } from '../src/egress/ssrf/vet.ts';
import { describeSeccomp } from '../src/plan/describe.ts';
import { credentialStores } from '../src/policy/builtin/credential-stores.ts';
import { hiddenFileNames } from '../src/policy/builtin/hidden.ts';
import { presets } from '../src/policy/builtin/presets/index.ts';
import { type Provider, providers } from '../src/policy/builtin/providers/index.ts';
import { protectedNames } from '../src/policy/builtin/protected.ts';
import { docsDirectory, generatedPages } from './docs-tables.ts';
import { markdownTable } from './docs-tables/markdown.ts';

const written = (name: string): string => readFileSync(join(docsDirectory, name), 'utf8');

describe('generated pages', () => {
  test.each(Object.entries(generatedPages))('%s is current (else: node scripts/docs-tables.ts)', (name, page) => {
    expect(written(name)).toBe(`${page()}\n`);
  });

  test('name everything that is protected, hidden or a credential store', () => {
    const page = written('protected-paths.md');
    const names = [...protectedNames, ...hiddenFileNames].map(({ components }) => components.join('/'));
    for (const name of [...names, ...credentialStores.map(({ pattern }) => pattern)])
      expect(page).toContain(`\`${name}\``);
  });

  test('name every host of every preset', () => {
    const page = written('presets.md');
    for (const [name, { hosts }] of Object.entries(presets)) {
      expect(page).toContain(`### ${name}\n`);
      for (const { pattern, reason } of hosts) expect(page).toContain(`| \`${pattern}\` | ${reason} |`);
    }
  });

  test('name every provider with its hosts, its variables and its source', () => {
    const page = written('providers.md');
    const all: readonly (readonly [string, Provider])[] = Object.entries(providers);
    for (const [name, { ways, variables, baseUrls, sources }] of all) {
      const [, section = ''] = page.split(`### ${name}\n`);
      const own = section.split('\n### ')[0] ?? '';
      for (const text of [
        ...ways.flatMap(({ hosts }) => hosts),
        ...variables.map((variable) => variable.name),
        ...baseUrls.map((variable) => variable.name),
      ])
        expect(own).toContain(`\`${text}`);
      for (const source of sources) expect(own).toContain(source);
    }
  });

  test('distinguish closed addresses from open ones in a registry', () => {
    const [closed = '', open = ''] = written('special-addresses.md').split('### Registered, but open');
    for (const { block, treatment } of [...metadataAddresses, ...specialBlocksV4, ...specialBlocksV6]) {
      expect(treatment === 'global' ? open : closed).toContain(`\`${block.replace(/\/(?:32|128)$/u, '')}\``);
      if (treatment === 'global') expect(closed).not.toContain(`\`${block}\``);
    }
    for (const { name } of specialNames) expect(open).toContain(`\`${name}\``);
  });

  test.each(['x64', 'arm64'] as const)('name every call of the list on %s', (architecture) => {
    const page = written('system-calls.md');
    for (const { names, reason } of describeSeccomp({ architecture, ptrace: 'deny' })) {
      for (const name of names) expect(page).toMatch(new RegExp(`\`${name}\\*?\``));
      expect(page).toContain(reason);
    }
  });

  test('mention a call that is missing on arm64, and that tracing can be allowed', () => {
    const page = written('system-calls.md');
    expect(page).toContain('`ioperm*`');
    expect(page).not.toContain('`ptrace*`');
    expect(page).toMatch(/^\| `ptrace` .*‡ \|/m);
  });
});

test('a cell stays inside its table', () => {
  expect(markdownTable(['a', 'b'], [['x|y', 'two\nlines']])).toBe('| a | b |\n| --- | --- |\n| x\\|y | two lines |');
});
