/**
 * Every subcommand with its one-line summary. Each has a bundle of its own, so that `run` loads nothing of the others.
 */
export const commandTable: readonly CommandRow[] = [
  { name: 'run', module: 'run.ts', export: 'runCommand', summary: 'run a command inside the box' },
  {
    name: 'learn',
    module: 'learn.ts',
    export: 'learnCommand',
    summary: 'run a command once, and propose the smallest policy that it needs',
  },
  {
    name: 'mcp',
    module: 'mcp/index.ts',
    export: 'mcpCommand',
    summary: 'serve the box to a coding agent as MCP tools',
  },
  {
    name: 'serve',
    module: 'serve/serve.ts',
    export: 'serveCommand',
    summary: 'hold sandboxes for editors, agents and terminals that come and go',
  },
  { name: 'exec', module: 'serve/exec.ts', export: 'execCommand', summary: 'run a command in a session of the server' },
  { name: 'ps', module: 'serve/ps.ts', export: 'psCommand', summary: 'list the sessions and commands of the server' },
  {
    name: 'attach',
    module: 'serve/attach.ts',
    export: 'attachCommand',
    summary: 'look on at a command of the server, and type into it',
  },
  {
    name: 'logs',
    module: 'serve/logs.ts',
    export: 'logsCommand',
    summary: 'print what a command of the server printed',
  },
  {
    name: 'stop',
    module: 'serve/stop.ts',
    export: 'stopCommand',
    summary: 'end a command or a session of the server, or the server',
  },
  { name: 'hook', module: 'hook.ts', export: 'hookCommand', summary: 'answer a hook of a coding agent' },
  {
    name: 'init',
    module: 'init.ts',
    export: 'initCommand',
    summary: 'put Holdfast into the settings of a coding agent',
  },
  { name: 'shim', module: 'shim.ts', export: 'shimCommand', summary: 'make a $SHELL whose scripts run in the box' },
  { name: 'fetch', module: 'fetch.ts', export: 'fetchCommand', summary: 'fetch a URL by the same rules as the box' },
  {
    name: 'proxy',
    module: 'proxy.ts',
    export: 'proxyCommand',
    summary: "serve the policy's network to programs outside the box",
  },
  { name: 'review', module: 'review.ts', export: 'reviewCommand', summary: 'show what a staged layer would change' },
  { name: 'accept', module: 'accept.ts', export: 'acceptCommand', summary: 'put what is staged onto the host' },
  { name: 'discard', module: 'discard.ts', export: 'discardCommand', summary: 'drop what is staged' },
  { name: 'undo', module: 'undo.ts', export: 'undoCommand', summary: 'take back the last accept' },
  {
    name: 'staged',
    module: 'staged.ts',
    export: 'stagedCommand',
    summary: 'list what commands did and nobody accepted yet',
  },
  {
    name: 'checkpoint',
    module: 'checkpoint.ts',
    export: 'checkpointCommand',
    summary: 'keep a live workspace as it is, and bring it back',
  },
  {
    name: 'trash',
    module: 'trash.ts',
    export: 'trashCommand',
    summary: 'list and restore what boxes deleted or overwrote',
  },
  {
    name: 'approvals',
    module: 'approvals/index.ts',
    export: 'approvalsCommand',
    summary: 'show what waits for your yes, and answer it',
  },
  {
    name: 'why',
    module: 'why.ts',
    export: 'whyCommand',
    summary: 'say what was refused, by which rule, and what would allow it',
  },
  {
    name: 'policy',
    module: 'policy/index.ts',
    export: 'policyCommand',
    summary: 'check, show, explain, test and create policies',
  },
  {
    name: 'secrets',
    module: 'secrets/index.ts',
    export: 'secretsCommand',
    summary: 'say where secrets are read that stay outside of the box',
  },
  {
    name: 'credentials',
    module: 'credentials/index.ts',
    export: 'credentialsCommand',
    summary: 'show what stands for secrets in a box, and revoke it',
  },
  {
    name: 'trust',
    module: 'trust/index.ts',
    export: 'trustCommand',
    summary: 'show and approve what a repository brings that could execute',
  },
  {
    name: 'worktree',
    module: 'worktree/index.ts',
    export: 'worktreeCommand',
    summary: 'work on a branch in a directory of its own, where no box can be had',
  },
  {
    name: 'tool',
    module: 'tool/index.ts',
    export: 'toolCommand',
    summary: 'run a tool that can do nothing but what its manifest and the policy say',
  },
  { name: 'plan', module: 'plan.ts', export: 'planCommand', summary: 'print the box that a command would get' },
  {
    name: 'backends',
    module: 'backends.ts',
    export: 'backendsCommand',
    summary: 'show what each backend holds on this machine',
  },
  {
    name: 'doctor',
    module: 'doctor.ts',
    export: 'doctorCommand',
    summary: 'say what this machine can enforce, and prove it',
  },
  {
    name: 'microvm',
    module: 'microvm/index.ts',
    export: 'microvmCommand',
    summary: 'make the kernel that microVMs start from',
  },
  {
    name: 'text',
    module: 'text/index.ts',
    export: 'textCommand',
    summary: 'show and find characters that do not show',
  },
  {
    name: 'dashboard',
    module: 'dashboard.ts',
    export: 'dashboardCommand',
    summary: 'show sessions, approvals and the journal in a browser',
  },
  {
    name: 'usage',
    module: 'usage.ts',
    export: 'usageCommand',
    summary: 'say what calls of language models came to, in tokens and money',
  },
  {
    name: 'llm',
    module: 'llm/index.ts',
    export: 'llmCommand',
    summary: 'show calls of language models, and what was said where it is kept',
  },
  {
    name: 'audit',
    module: 'audit/index.ts',
    export: 'auditCommand',
    summary: 'verify, search, report and export the journal',
  },
  {
    name: 'completion',
    module: 'completion/index.ts',
    export: 'completionCommand',
    summary: 'print what bash, zsh and fish need to complete commands',
  },
];

export interface CommandRow {
  readonly name: string;
  /** File below `src/cli`. */
  readonly module: string;
  readonly export: string;
  readonly summary: string;
}
