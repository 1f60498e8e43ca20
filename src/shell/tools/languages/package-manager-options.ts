import {
  each,
  flags,
  inOrder,
  maybe,
  opaqueEffect,
  reaches,
  repositoryCode,
  takes,
  tool,
  warnsTaking,
} from '../notation.ts';
import type { OptionSpec } from '../types.ts';
import { packageSources } from './sources.ts';

export const projectModules = repositoryCode('scripts, configuration and modules of the project');

export const npmRegistry = reaches('registry.npmjs.org');

const output: readonly OptionSpec[] = [
  ...flags(
    '-s --silent',
    '-q --quiet',
    '-d',
    '--verbose',
    '--json',
    '-l --long',
    '-g --global',
    '-p --parseable',
    '--no-color',
    '--offline',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--include-workspace-root',
  ),
  ...takes('text', '--depth', '--loglevel', '-w --workspace', '--omit', '--include', '--color'),
  ...maybe('text', '--workspaces'),
];

const elsewhere: readonly OptionSpec[] = [
  ...takes('directory', '-C --prefix --dir --cwd'),
  ...takes('url', '--registry'),
  ...warnsTaking(opaqueEffect('inline-code', '`--script-shell` runs every script'), '--script-shell', '--shell'),
  ...warnsTaking(
    opaqueEffect('inline-code', '`--userconfig` takes settings, which can name programs, from a file'),
    '--userconfig',
    '--globalconfig',
  ),
  ...warnsTaking(opaqueEffect('inline-code', '`--node-options` loads code'), '--node-options'),
];

export const shared = [...output, ...elsewhere];

/** The package may be missing; then its code comes from the npmRegistry. */
export const executes = {
  options: [
    ...shared.filter(({ names }) => !names.includes('-p')),
    ...flags('-y --yes', '--no', '--no-install', '--bun'),
    ...takes('text', '-p --package'),
    ...takes('script', '-c --call'),
  ],
  operands: inOrder(['text'], 'text'),
  always: [npmRegistry, opaqueEffect('inline-code', 'runs a package, which may come from the registry')],
  refine: packageSources,
} as const;

/** Another file may set the registry: the project's `.npmrc` names the host that is really asked. */
export const registryQuestions = tool('view info show v search outdated ping whoami', {
  options: [...shared, ...flags('--production', '--dev')],
  operands: each('text'),
  always: [npmRegistry],
});
