import type { Guard } from './guards.ts';

/** Code whose guards are taken out one at a time, and the tests that have to notice. */
export interface Component {
  readonly name: string;
  /** Globs of source files. */
  readonly files: readonly string[];
  /** Names of tests as Vitest matches them: parts of their paths. */
  readonly tests: readonly string[];
  /** What is taken out. Default: `if`. */
  readonly kind?: Guard['kind'];
  /** `launcher`: builds it again, and runs tests of the machine. Default: tests beside the code. */
  readonly built?: 'launcher';
  /** Lines without an effect that a test could see, each with the reason. */
  readonly known?: Readonly<Record<string, string>>;
}

export const components: readonly Component[] = [
  { name: 'HTTP/1.1 parser', files: ['src/egress/http/h1/*.ts'], tests: ['src/egress/http/h1'] },
  {
    name: 'HTTP decisions',
    files: ['src/egress/http/{authority,decide-request,message,refusals,url-path}.ts'],
    tests: ['src/egress/http'],
  },
  { name: 'HTTP/2', files: ['src/egress/http/h2/*.ts'], tests: ['src/egress/http/h2', 'src/egress/pipeline'] },
  {
    name: 'connections',
    files: ['src/egress/pipeline/*.ts'],
    tests: ['src/egress/pipeline', 'src/egress/egress.test'],
  },
  {
    name: 'addresses',
    files: ['src/egress/ssrf/*.ts', 'src/egress/is-address.ts'],
    tests: ['src/egress/ssrf', 'src/egress/is-address'],
  },
  { name: 'DNS', files: ['src/egress/dns/**/*.ts'], tests: ['src/egress/dns'] },
  { name: 'TLS', files: ['src/egress/tls/*.ts'], tests: ['src/egress/tls', 'src/egress/pipeline'] },
  { name: 'credentials put in', files: ['src/credentials/inject/*.ts'], tests: ['src/credentials/inject'] },
  {
    name: 'masking',
    files: ['src/credentials/masking/*.ts'],
    tests: ['src/credentials/masking', 'src/credentials/inject'],
  },
  { name: 'PostgreSQL broker', files: ['src/credentials/postgres/**/*.ts'], tests: ['src/credentials/postgres'] },
  { name: 'Redis broker', files: ['src/credentials/redis/**/*.ts'], tests: ['src/credentials/redis'] },
  { name: 'signed requests', files: ['src/credentials/sigv4/*.ts'], tests: ['src/credentials/sigv4'] },
  { name: 'accept and undo', files: ['src/staged/apply/*.ts'], tests: ['src/staged'] },
  { name: 'staged changes', files: ['src/staged/changes/*.ts', 'src/staged/store/*.ts'], tests: ['src/staged'] },
  { name: 'trust', files: ['src/trust/{discover,extract,session,store}/*.ts'], tests: ['src/trust'] },
  { name: 'central policy', files: ['src/central/*.ts'], tests: ['src/central'] },
  { name: 'approvals', files: ['src/approvals/**/*.ts'], tests: ['src/approvals'] },
  { name: 'journal', files: ['src/audit/*.ts'], tests: ['src/audit'] },
  { name: 'hooks', files: ['src/agents/hooks/**/*.ts'], tests: ['src/agents/hooks'] },
  { name: 'MCP', files: ['src/mcp/*.ts', 'src/agents/mcp-wrap/*.ts'], tests: ['src/mcp', 'src/agents/mcp-wrap'] },
  { name: 'dashboard', files: ['src/dashboard/server/*.ts'], tests: ['src/dashboard'] },
  { name: 'server', files: ['src/serve/**/*.ts'], tests: ['src/serve'] },
  { name: 'policy decisions', files: ['src/policy/*.ts', 'src/policy/layers/*.ts'], tests: ['src/policy'] },
  { name: 'policy patterns', files: ['src/policy/patterns/*.ts', 'src/policy/normalise/*.ts'], tests: ['src/policy'] },
  {
    name: 'command rules',
    files: ['src/policy/command/*.ts', 'src/shell/class/*.ts'],
    tests: ['src/policy/command', 'src/shell/class'],
  },
  { name: 'plans', files: ['src/plan/*.ts', 'src/plan/seccomp/**/*.ts'], tests: ['src/plan', 'src/backends'] },
  { name: 'supervisor of calls', files: ['src/notify/{judge,view,perform}/*.ts'], tests: ['src/notify'] },
  { name: 'cluster manifests', files: ['src/cluster/*.ts'], tests: ['src/cluster'] },
  { name: 'hidden text', files: ['src/text/**/*.ts'], tests: ['src/text'] },
  { name: 'system calls', kind: 'row', files: ['src/plan/seccomp/rules/*.ts'], tests: ['src/plan/seccomp'] },
  {
    name: 'hidden and protected names',
    kind: 'row',
    files: ['src/policy/builtin/{credential-stores,hidden,protected}.ts'],
    tests: ['src/policy', 'src/trust'],
  },
  { name: 'names of secrets', kind: 'row', files: ['src/policy/builtin/guarded-variables.ts'], tests: ['src/policy'] },
  {
    name: 'guard of names (C)',
    built: 'launcher',
    files: ['native/src/launch/guard/*.c'],
    tests: ['test/guard.test', 'test/socket-signal-rules', 'test/own-sockets', 'test/refused-sockets'],
  },
  {
    name: 'root of the box (C)',
    built: 'launcher',
    files: ['native/src/launch/root/{root,mount,masks,protect,devices}.c'],
    tests: ['test/files.test', 'test/covered-again', 'test/staged-hostile', 'test/workspace-of-another'],
  },
  {
    name: 'confinement (C)',
    built: 'launcher',
    files: ['native/src/launch/confine/*.c'],
    tests: ['test/seccomp.test', 'test/landlock/', 'test/limits'],
  },
  {
    name: 'plans as bytes (C)',
    built: 'launcher',
    files: ['native/src/launch/plan/*.c'],
    tests: ['test/launcher-hostile-plans', 'test/staged-hostile-plans'],
  },
];
