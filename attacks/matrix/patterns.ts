import { attackPath } from '../runner/attack.ts';

/** The patterns of Mindgard's catalogue, by number, with the attacks that perform them. */
export const patterns: readonly (readonly [number: string, attacks: readonly string[]])[] = [
  ['1.1', ['mindgard-1-1-mcp-config']],
  ['1.2', ['mindgard-1-2-lsp']],
  ['1.3', ['mindgard-1-3-tools-skills']],
  ['1.4', ['mindgard-1-4-argument-injection']],
  ['1.5', ['mindgard-1-5-hooks']],
  ['1.6', ['mindgard-1-6-auto-exec']],
  ['1.7', ['mindgard-1-7-init-race']],
  ['1.8', ['mindgard-1-8-terminal-filter']],
  ['1.9', ['mindgard-1-9-binary-planting']],
  ['1.10', ['mindgard-1-10-safe-executables']],
  ['1.11', ['mindgard-1-11-environment-prefix']],
  ['1.12', ['mindgard-1-12-ide-settings']],
  ['1.13', ['mindgard-1-13-local-service']],
  ['2.1', ['mindgard-2-1-directory-names']],
  ['2.2', ['mindgard-2-2-prompt-templates']],
  ['2.3', ['mindgard-2-3-config-write']],
  ['2.4', ['mindgard-2-4-rules-override']],
  ['2.5', ['mindgard-2-5-hidden-unicode']],
  ['3.1', ['mindgard-3-1-markdown-image']],
  ['3.2', ['mindgard-3-2-mermaid']],
  ['3.3', ['mindgard-3-3-configured-urls']],
  ['3.4', ['mindgard-3-4-webview']],
  ['3.5', ['mindgard-3-5-provider-redirect']],
  ['3.6', ['mindgard-3-6-dns']],
  ['4', ['mindgard-4-trust-persistence', 'mindgard-4-pulled-meanwhile']],
];

export function patternsSection(): readonly string[] {
  return [
    '## Patterns',
    '',
    "The 25 patterns of [Mindgard's catalogue](https://github.com/Mindgard/ai-ide-vuln-patterns), by its numbers. [Attacks](attacks.md) has the result of each, and marks those that still succeed as `open`.",
    '',
    ...patterns.map(
      ([number, attacks]) =>
        `- ${number}: ${attacks.map((attack) => `[\`${attack}\`](../attacks/${attackPath(attack)})`).join(', ')}`,
    ),
  ];
}
