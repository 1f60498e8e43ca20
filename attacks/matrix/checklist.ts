/**
 * The boxes of Mindgard's checklist (46, in nine gates), in words of our own, and what shows here that they hold. Where
 * nothing does, or only a part, `gap` says why.
 */
export interface Box {
  readonly gate: string;
  readonly what: string;
  /** Names of attacks. */
  readonly attacks: readonly string[];
  /** Files of tests. */
  readonly tests: readonly string[];
  readonly gap?: string;
}

const waiting = [
  'mindgard-1-1-mcp-config',
  'mindgard-1-3-tools-skills',
  'mindgard-1-5-hooks',
  'mindgard-1-6-auto-exec',
  'mindgard-1-12-ide-settings',
  'mindgard-2-2-prompt-templates',
  'mindgard-2-4-rules-override',
] as const;
const gate = (name: string, boxes: readonly Omit<Box, 'gate'>[]): readonly Box[] =>
  boxes.map((box) => ({ gate: name, ...box }));
const attacked = (what: string, ...attacks: readonly string[]): Omit<Box, 'gate'> => ({ what, attacks, tests: [] });

/** In the order of the checklist; a box's number is its place. */
export const checklist: readonly Box[] = [
  ...gate('Approval of configurations', [
    attacked('servers of MCP wait for a yes', 'mindgard-1-1-mcp-config'),
    attacked('hooks, tools and skills wait for a yes', 'mindgard-1-5-hooks', 'mindgard-1-3-tools-skills'),
    attacked('so does every field that is a command', 'mindgard-1-6-auto-exec'),
    attacked('so do paths of language servers', 'mindgard-1-2-lsp'),
    attacked('so do paths of programs in settings of editors', 'mindgard-1-12-ide-settings'),
    attacked('so do workspace files of editors', 'mindgard-1-12-ide-settings'),
    attacked('so do prompt templates', 'mindgard-2-2-prompt-templates'),
    attacked(
      'rules of a repository change nothing of what is asked',
      'mindgard-2-4-rules-override',
      'policy-project-file',
    ),
    attacked(
      'addresses of providers are not those of a repository',
      'mindgard-3-5-provider-redirect',
      'credentials-project-files',
      'credentials-base-url',
    ),
    attacked(
      'addresses in files are asked for only at hosts that are allowed',
      'mindgard-3-3-configured-urls',
      'net-denied-host',
    ),
  ]),
  ...gate('Start', [
    { what: 'what nobody has approved is denied', attacks: waiting, tests: ['test/trust-gate.test.ts'] },
    attacked('nothing starts and nothing connects before the answer', 'mindgard-1-7-init-race'),
    {
      what: 'who takes an approval back has undone what it brought',
      attacks: ['mindgard-1-1-mcp-config'],
      tests: ['test/trust-gate.test.ts'],
      gap: 'from the next command on: a box that runs keeps what it began with',
    },
  ]),
  ...gate('Integrity of approvals', [
    {
      what: 'an approval is of content',
      attacks: ['mindgard-4-trust-persistence'],
      tests: ['src/trust/store/store.test.ts'],
    },
    {
      what: 'what git changes is asked about again',
      attacks: ['mindgard-4-trust-persistence', 'mindgard-4-pulled-meanwhile'],
      tests: [],
      gap: 'a file that is renamed over a withheld one while a box runs shows in that box',
    },
    attacked('that holds for every kind of file', ...waiting, 'mindgard-1-2-lsp'),
  ]),
  ...gate('Writing', [
    attacked(
      "the agent cannot write the product's own configuration",
      'policy-project-file',
      'policy-user-file',
      'policy-state',
    ),
    attacked(
      'nor directories of editors and agents',
      'mindgard-2-3-config-write',
      'persistence-create',
      'persistence-overwrite',
      'persistence-case-variant',
      'persistence-symlink',
      'persistence-rename-over',
      'persistence-rename-parent',
    ),
    attacked('nor what says who has approved what', 'mindgard-2-3-config-write'),
    attacked('nor templates, hooks and tools', 'mindgard-2-3-config-write', 'persistence-create', 'git-hook-new'),
  ]),
  ...gate('Commands', [
    attacked('line breaks, separators, substitutions', 'mindgard-1-8-terminal-filter'),
    attacked('variables before a command', 'mindgard-1-11-environment-prefix', 'commands-environment'),
    attacked('options that run or write something', 'mindgard-1-4-argument-injection', 'commands-arguments'),
    {
      what: 'what a shell makes of a line',
      attacks: ['mindgard-1-8-terminal-filter'],
      tests: ['test/shell-differential.test.ts'],
    },
    attacked(
      'nothing stays in the background unnoticed',
      'leftover-daemon',
      'leftover-output-holder',
      'mindgard-1-8-terminal-filter',
    ),
    attacked('words of a model are words, and no options or lines', 'mindgard-1-4-argument-injection'),
    attacked(
      'git obeys no configuration of the repository',
      'mindgard-1-10-safe-executables',
      'commands-git-configuration',
      'git-config-program',
      'git-info-attributes',
    ),
    attacked(
      'programs that look names up, and names that carry data',
      'mindgard-3-6-dns',
      'net-dns-tools',
      'net-dns-labels',
    ),
  ]),
  ...gate('Programs', [
    attacked(
      'a workspace is no place where programs are looked for',
      'mindgard-1-9-binary-planting',
      'commands-planted-entry',
      'persistence-node-bin',
    ),
    {
      what: 'a name stands for a whole path outside of what can be written',
      attacks: ['commands-planted'],
      tests: ['src/shell/session/resolve-program.test.ts'],
    },
    {
      what: 'the program that was judged is the one that runs',
      attacks: ['commands-from-build'],
      tests: ['src/shell/session/program-pins.test.ts'],
    },
    {
      what: 'Windows looks for no program in the working directory',
      attacks: [],
      tests: [],
      gap: 'there is no backend for Windows',
    },
  ]),
  ...gate('What is read', [
    {
      what: 'characters that do not show',
      attacks: ['mindgard-2-5-hidden-unicode', 'text-hidden-page', 'text-output-escapes'],
      tests: ['test/text-boundaries.test.ts'],
    },
    attacked(
      'names of files, directories and branches',
      'mindgard-2-1-directory-names',
      'text-file-name',
      'text-branch-name',
    ),
    {
      what: 'what tools and pages say is treated as hostile',
      attacks: ['text-hidden-page', 'text-output-escapes'],
      tests: ['src/text/boundaries.test.ts'],
    },
    {
      what: 'orders and data are apart in the prompt',
      attacks: [],
      tests: [],
      gap: 'the prompt is made by the agent, which Holdfast does not change; plain words that lie reach the model, and the box holds what it then does',
    },
  ]),
  ...gate('What goes out', [
    {
      what: 'images in Markdown and HTML',
      attacks: ['mindgard-3-1-markdown-image'],
      tests: ['src/text/outbound/defuse.test.ts'],
    },
    { what: 'diagrams', attacks: ['mindgard-3-2-mermaid'], tests: ['src/text/outbound/diagrams.test.ts'] },
    {
      what: 'views and browsers',
      attacks: ['mindgard-3-4-webview', 'net-redirects'],
      tests: [],
      gap: 'what is said to a host that is allowed is looked through for keys alone',
    },
    attacked('endpoints of models', 'mindgard-3-5-provider-redirect', 'credentials-replay-elsewhere'),
    attacked(
      'names that are looked up',
      'mindgard-3-6-dns',
      'net-dns-tools',
      'net-dns-over-https',
      'net-dns-raw',
      'net-dns-record-types',
    ),
    {
      what: 'all of it is written down',
      attacks: ['policy-state', 'text-journal-forgery'],
      tests: ['test/network/refusals.test.ts', 'src/audit/verify.test.ts'],
    },
    attacked(
      'each way out is tried by itself',
      'mindgard-3-1-markdown-image',
      'mindgard-3-2-mermaid',
      'mindgard-3-3-configured-urls',
      'mindgard-3-4-webview',
      'mindgard-3-5-provider-redirect',
      'mindgard-3-6-dns',
    ),
  ]),
  ...gate('Local services', [
    {
      what: 'each asks who is there',
      attacks: ['mindgard-1-13-local-service', 'net-proxy-secret', 'net-proxy-secret-visible'],
      tests: ['src/dashboard/server/entrance.test.ts', 'src/approvals/socket/serve-approvals.test.ts'],
    },
    {
      what: 'pages of other origins get no answer',
      attacks: ['mindgard-1-13-local-service'],
      tests: ['src/dashboard/server/gate.test.ts'],
    },
    {
      what: 'only loopback, at a random port that is told',
      attacks: ['net-listener-direct', 'net-listen-for-host', 'net-leftover-listener'],
      tests: ['test/dashboard-server.test.ts'],
    },
  ]),
];
