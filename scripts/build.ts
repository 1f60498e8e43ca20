import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import process from 'node:process';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import packageJson from '../package.json' with { type: 'json' };
import { commandTable } from '../src/cli/table.ts';
import type { CommandRow } from '../src/policy/features/feature.ts';
import { buildDashboard } from './build-dashboard.ts';
import { buildTypes } from './build-types.ts';
import { writeCompletions } from './completion/write-completions.ts';
import { lazyBuiltins } from './lazy-builtins.ts';
import { binSource, entrySource, threadSource } from './entry-source.ts';
import { loadCommands } from './load-commands.ts';
import { manPage } from './man/man-page.ts';
import { toolsByName } from './tools-by-name.ts';

// The main file of jsonc-parser requires its parts by names that a bundler does not see.
const shared: BuildOptions = {
  bundle: true,
  platform: 'node',
  target: 'node22.18',
  legalComments: 'none',
  logLevel: 'warning',
  minifySyntax: true,
  external: ['koffi'],
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
};

/** Modules that are loaded on demand: policies, network servers, and the code of threads. */
const apart: readonly string[] = [
  'src/agents/hooks/fresh-decisions.ts',
  'src/agents/hooks/filter-result.ts',
  'src/place/planner.ts',
  'src/place/copies/copies.ts',
  'src/session/shown-output.ts',
  'src/shell/session/command-guard.ts',
  'src/approvals/session/open-approvals.ts',
  'src/approvals/session/policy-channels.ts',
  'src/staged/session/stage-session.ts',
  'src/trust/session/trust-gate.ts',
  'src/cli/trust/ruled-rows.ts',
  'src/cli/trust/signed-rows.ts',
  'src/cli/trust/trust-keys.ts',
  'src/cli/policy/central-policy.ts',
  'src/cli/trust/ask-at-start.ts',
  'src/notify/session/session-supervisor.ts',
  'src/notify/session/notify-thread.ts',
  'src/egress/session/session-authority.ts',
  'src/egress/fetch/html/html-worker.ts',
  'src/audit/verify-thread.ts',
  'src/trust/session/ruled-gate.ts',
  'src/trust/extract/extract-fields.ts',
  'src/tools/host/tool-host.ts',
  'src/agents/mcp-wrap/wrap-mcp.ts',
  'src/serve/server/start-server.ts',
  'src/cli/serve/start-detached.ts',
  'src/kernel/take-descriptor.ts',
];
/**
 * The modules of a run with an agent, in one file. Each of them understands policies, and separate evaluation would
 * cost twice as much. `agent-planner` is the planner for such a run. The planner of a plain run has its own file.
 */
const together: Readonly<Record<string, string>> = {
  'agent-planner': 'src/place/planner.ts',
  'hand-over': 'src/credentials/session/hand-over.ts',
  'session-credentials': 'src/credentials/session/session-credentials.ts',
  'credential-egress': 'src/credentials/session/credential-egress.ts',
  'session-egress': 'src/egress/session/session-egress.ts',
  'lazy-gateway': 'src/egress/session/lazy-gateway.ts',
  'session-gateway': 'src/llm/session/session-gateway.ts',
};

/** Modules that many commands load, and that seldom need heavy modules themselves. */
const light: readonly string[] = [
  'src/aftermath/aftermath.ts',
  'src/place/other-backends.ts',
  'src/egress/session/local-entrance.ts',
  'src/place/refusals/describe.ts',
  'src/cli/agent-run.ts',
  'src/cli/delegate.ts',
  'src/cli/full-guarantees.ts',
  'src/cli/run-lines.ts',
  'src/cli/run-usage.ts',
  'src/cli/resident/start-resident.ts',
  'src/cli/trust/settle-trust.ts',
  'src/cli/trust/trust-changes.ts',
  'src/cli/usage-error.ts',
];

const plannerApart: Plugin = {
  name: 'planner-apart',
  setup(builder) {
    builder.onResolve({ filter: /\/serve-resident\.ts$/ }, () => ({ path: '../resident.js', external: true }));
    builder.onResolve({ filter: /\/planner\.ts$/ }, ({ kind, importer }) =>
      kind === 'dynamic-import' && importer.endsWith('/cli/agent-run.ts')
        ? { path: './agent-planner.cjs', external: true }
        : undefined,
    );
    builder.onResolve({ filter: /\.ts$/ }, ({ kind, path }) =>
      kind === 'dynamic-import' && isApart(path)
        ? { path: `./${path.replace(/^.*\/(.*)\.ts$/u, '$1')}.cjs`, external: true }
        : undefined,
    );
  },
};

function isApart(path: string): boolean {
  return [...apart, ...light, ...Object.values(together)].some((entry) => basename(entry) === basename(path));
}

/** `import process` from CommonJS copies all of its properties, which costs every start 4 ms. */
const globalProcess: Plugin = {
  name: 'global-process',
  setup(builder) {
    builder.onResolve({ filter: /^node:process$/ }, () => ({ path: 'process', namespace: 'global-process' }));
    builder.onLoad({ filter: /./, namespace: 'global-process' }, () => ({
      contents: 'export default globalThis.process;',
      loader: 'js',
    }));
  },
};

/** The tables of tools take 10 ms to load. Only a policy with patterns of commands with words needs them. */
const toolsWhenAsked: Plugin = {
  name: 'tools-when-asked',
  setup(builder) {
    builder.onLoad({ filter: /\/policy\/patterns\/tools\.ts$/ }, ({ path }) => ({
      contents: [lazyExport('canonicalArguments', 'canonical-arguments'), lazyExport('toolFor', 'tool-for')].join('\n'),
      loader: 'js',
      resolveDir: dirname(path),
    }));
  },
};

/** The table of prices takes 10 ms to load. Only the end of a model call needs it. */
const pricesWhenAsked: Plugin = {
  name: 'prices-when-asked',
  setup(builder) {
    builder.onResolve({ filter: /^@pydantic\/genai-prices$/ }, ({ kind, path, resolveDir }) =>
      kind === 'require-call' ? undefined : { path, namespace: 'prices-when-asked', pluginData: resolveDir },
    );
    builder.onLoad({ filter: /./, namespace: 'prices-when-asked' }, ({ path, pluginData }) => ({
      contents: ['calcPrice', 'findProvider']
        .map((name) => `export const ${name} = (...words) => require('${path}').${name}(...words);`)
        .join('\n'),
      loader: 'js',
      resolveDir: String(pluginData),
    }));
  },
};

function lazyExport(name: string, module: string): string {
  return `export const ${name} = (...words) => require('../../shell/tools/${module}.ts').${name}(...words);`;
}

const always: readonly Plugin[] = [globalProcess, toolsWhenAsked, toolsByName, pricesWhenAsked, lazyBuiltins];
const withoutPlanner: Pick<BuildOptions, 'plugins' | 'supported'> = {
  plugins: [plannerApart, ...always],
  supported: { 'dynamic-import': false },
};

/** Built in another directory and swapped in, so that a running `bin/holdfast` never finds an incomplete one. */
const fresh = `dist.${process.pid}`;
mkdirSync(`${fresh}/cli`, { recursive: true });
await Promise.all([
  ...commandTable.filter((row) => existsSync(`src/cli/${row.module}`)).map(buildCommand),
  ...apart.map((entry) => buildApart(entry)),
  ...light.map((entry) => buildApart(entry, withoutPlanner)),
  buildTogether(),
  buildDashboard(fresh),
  buildLibrary(),
]);
cpSync('src/code/drivers', `${fresh}/drivers`, { recursive: true, filter: (path) => !path.endsWith('.ts') });
const buildHash = buildOf(`${fresh}/cli`);
writeFileSync(`${fresh}/holdfast.cjs`, entrySource(packageJson, buildHash), { mode: 0o755 });
writeFileSync(`${fresh}/cli/load-thread.cjs`, threadSource(buildHash));
writeFileSync(`${fresh}/holdfast.sh`, binSource(), { mode: 0o755 });
buildTypes(fresh);
const commands = await loadCommands();
writeCompletions(commands, `${fresh}/completion`);
writeFileSync(`${fresh}/holdfast.1`, manPage(commands, packageJson.version));
rmSync('dist.old', { recursive: true, force: true });
if (existsSync('dist')) renameSync('dist', 'dist.old');
renameSync(fresh, 'dist');
rmSync('dist.old', { recursive: true, force: true });

/** One CommonJS file per command. They start 3 ms faster than ES modules, and load nothing of each other. */
function buildCommand(row: CommandRow): Promise<unknown> {
  const contents = `import { enterCommand } from './entry.ts'; import { ${row.export} } from './${row.module}'; void enterCommand(${row.export});`;
  return build({
    ...shared,
    format: 'cjs',
    stdin: { contents, resolveDir: 'src/cli', loader: 'ts' },
    outfile: `${fresh}/cli/${row.name}.cjs`,
    define: { 'import.meta.url': 'undefined' },
    ...withoutPlanner,
  });
}

/** The code for policies, the code for network servers, and the code of threads, in files that load on demand. */
function buildApart(entry: string, more: Pick<BuildOptions, 'plugins' | 'supported'> = {}): Promise<unknown> {
  return build({
    ...shared,
    format: 'cjs',
    entryPoints: [entry],
    outfile: `${fresh}/cli/${basename(entry, '.ts')}.cjs`,
    plugins: [...always],
    define: { 'import.meta.url': 'undefined' },
    ...more,
  });
}

/** `parts.cjs`, which evaluates a part on request, and a file for each requester. */
async function buildTogether(): Promise<void> {
  const parts = Object.entries(together);
  await build({
    ...shared,
    format: 'cjs',
    stdin: {
      contents: parts
        .map(([name, entry]) => `module.exports[${JSON.stringify(name)}] = () => require('./${entry}');`)
        .join('\n'),
      resolveDir: '.',
      loader: 'js',
    },
    outfile: `${fresh}/cli/parts.cjs`,
    plugins: [...always],
    define: { 'import.meta.url': 'undefined' },
  });
  for (const [name] of parts)
    writeFileSync(`${fresh}/cli/${name}.cjs`, `module.exports = require('./parts.cjs')[${JSON.stringify(name)}]();\n`);
}

function buildLibrary(): Promise<unknown> {
  return build({
    ...shared,
    format: 'esm',
    packages: 'external',
    splitting: true,
    plugins: [toolsWhenAsked, toolsByName],
    chunkNames: '[name]-[hash]',
    entryPoints: { index: 'src/sandbox/index.ts', resident: 'src/cli/resident/serve-resident.ts' },
    outdir: fresh,
  });
}

/** V8's compiled code belongs to exactly these bundles. */
function buildOf(directory: string): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(directory).sort()) hash.update(name).update(readFileSync(`${directory}/${name}`));
  return hash.digest('hex').slice(0, 16);
}
