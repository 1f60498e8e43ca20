/**
 * The boxes of Mindgard's checklist (46, in nine gates), in Holdfast's own words, with the evidence for each. If the
 * evidence is missing or partial, `gap` gives the reason.
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

/** In the order of the checklist. A box's number is its place. */
export const checklist: readonly Box[] = [
  ...gate('Approval of configurations', [
    attacked('MCP servers wait for approval', 'mindgard-1-1-mcp-config'),
    attacked('hooks, tools and skills wait for approval', 'mindgard-1-5-hooks', 'mindgard-1-3-tools-skills'),
    attacked('every field with a command waits for approval', 'mindgard-1-6-auto-exec'),
    attacked('paths of language servers wait for approval', 'mindgard-1-2-lsp'),
    attacked('paths of programs in editor settings wait for approval', 'mindgard-1-12-ide-settings'),
    attacked('workspace files of editors wait for approval', 'mindgard-1-12-ide-settings'),
    attacked('prompt templates wait for approval', 'mindgard-2-2-prompt-templates'),
    attacked('rules of a repository do not change approvals', 'mindgard-2-4-rules-override', 'policy-project-file'),
    attacked(
      'a repository cannot set addresses of providers',
      'mindgard-3-5-provider-redirect',
      'credentials-project-files',
      'credentials-base-url',
    ),
    attacked(
      'agents fetch addresses in files only from allowed hosts',
      'mindgard-3-3-configured-urls',
      'net-denied-host',
    ),
  ]),
  ...gate('Start', [
    { what: 'everything without approval is denied', attacks: waiting, tests: ['test/trust-gate.test.ts'] },
    attacked('nothing starts or connects before the answer', 'mindgard-1-7-init-race'),
    {
      what: 'removing an approval undoes its effect',
      attacks: ['mindgard-1-1-mcp-config'],
      tests: ['test/trust-gate.test.ts'],
      gap: 'from the next command on: a running box keeps its files',
    },
  ]),
  ...gate('Integrity of approvals', [
    {
      what: 'an approval covers content',
      attacks: ['mindgard-4-trust-persistence'],
      tests: ['src/trust/store/store.test.ts'],
    },
    {
      what: 'changes by git need another approval',
      attacks: ['mindgard-4-trust-persistence', 'mindgard-4-pulled-meanwhile'],
      tests: [],
      gap: 'a running box sees a file that is renamed over a withheld one for a moment; with gVisor until it ends',
    },
    attacked('this applies to every kind of file', ...waiting, 'mindgard-1-2-lsp'),
  ]),
  ...gate('Writing', [
    attacked(
      "the agent cannot write the product's own configuration",
      'policy-project-file',
      'policy-user-file',
      'policy-state',
    ),
    attacked(
      'the agent cannot write directories of editors and agents',
      'mindgard-2-3-config-write',
      'persistence-create',
      'persistence-overwrite',
      'persistence-case-variant',
      'persistence-symlink',
      'persistence-rename-over',
      'persistence-rename-parent',
    ),
    attacked('the agent cannot write the record of approvals', 'mindgard-2-3-config-write'),
    attacked(
      'the agent cannot write templates, hooks and tools',
      'mindgard-2-3-config-write',
      'persistence-create',
      'git-hook-new',
    ),
  ]),
  ...gate('Commands', [
    attacked('line breaks, separators, substitutions', 'mindgard-1-8-terminal-filter'),
    attacked('variables before a command', 'mindgard-1-11-environment-prefix', 'commands-environment'),
    attacked('options that run or write something', 'mindgard-1-4-argument-injection', 'commands-arguments'),
    {
      what: 'interpretation of a line by the shell',
      attacks: ['mindgard-1-8-terminal-filter'],
      tests: ['test/shell-differential.test.ts'],
    },
    attacked(
      'no process stays in the background unnoticed',
      'leftover-daemon',
      'leftover-output-holder',
      'mindgard-1-8-terminal-filter',
    ),
    attacked("a model's words never become options or lines", 'mindgard-1-4-argument-injection'),
    attacked(
      'git ignores the configuration of the repository',
      'mindgard-1-10-safe-executables',
      'commands-git-configuration',
      'git-config-program',
      'git-info-attributes',
    ),
    attacked(
      'programs that look names up, and names with data in them',
      'mindgard-3-6-dns',
      'net-dns-tools',
      'net-dns-labels',
    ),
  ]),
  ...gate('Programs', [
    attacked(
      'nothing looks for programs in a workspace',
      'mindgard-1-9-binary-planting',
      'commands-planted-entry',
      'persistence-node-bin',
    ),
    {
      what: 'a name means a full path outside writable places',
      attacks: ['commands-planted'],
      tests: ['src/shell/session/resolve-program.test.ts'],
    },
    {
      what: 'the judged program is the one that runs',
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
  ...gate('Input', [
    {
      what: 'invisible characters',
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
      what: 'output of tools and pages counts as hostile',
      attacks: ['text-hidden-page', 'text-output-escapes'],
      tests: ['src/text/boundaries.test.ts'],
    },
    {
      what: 'orders and data are separate in the prompt',
      attacks: [],
      tests: [],
      gap: "the agent makes the prompt, and Holdfast does not change the agent; false words in plain text reach the model, and the box confines the model's actions",
    },
  ]),
  ...gate('Output', [
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
      gap: 'in requests to an allowed host, Holdfast looks only for keys',
    },
    attacked('endpoints of models', 'mindgard-3-5-provider-redirect', 'credentials-replay-elsewhere'),
    attacked(
      'DNS names',
      'mindgard-3-6-dns',
      'net-dns-tools',
      'net-dns-over-https',
      'net-dns-raw',
      'net-dns-record-types',
    ),
    {
      what: 'the journal records everything',
      attacks: ['policy-state', 'text-journal-forgery'],
      tests: ['test/network/refusals.test.ts', 'src/audit/verify.test.ts'],
    },
    attacked(
      'a test tries each way out separately',
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
      what: 'each service authenticates its clients',
      attacks: ['mindgard-1-13-local-service', 'net-proxy-secret', 'net-proxy-secret-visible'],
      tests: ['src/dashboard/server/entrance.test.ts', 'src/approvals/socket/serve-approvals.test.ts'],
    },
    {
      what: 'pages of other origins get no answer',
      attacks: ['mindgard-1-13-local-service'],
      tests: ['src/dashboard/server/gate.test.ts'],
    },
    {
      what: 'only loopback, at a random port that the service prints',
      attacks: ['net-listener-direct', 'net-listen-for-host', 'net-leftover-listener'],
      tests: ['test/dashboard-server.test.ts'],
    },
  ]),
];
