import {
  each,
  toolFamily,
  flags,
  opaqueEffect,
  reaches,
  repositoryCode,
  takes,
  tool,
  warns,
  warnsTaking,
  writes,
} from '../notation.ts';
import type { OptionSpec, ToolSpec } from '../types.ts';
import { runsInputWhenBare } from './runs-input.ts';
import { cc } from './c.ts';
import { builders } from './project-code.ts';
import { go } from './go.ts';
import { classViewers, java, jvm } from './jvm.ts';
import { cargo, rustc, rustfmt, rustup } from './rust.ts';

const dotnetOptions: readonly OptionSpec[] = [
  ...flags('--no-restore', '--no-build', '--nologo', '--force', '--no-incremental', '--no-logo'),
  ...takes(
    'text',
    '-c --configuration',
    '-f --framework',
    '-r --runtime',
    '-v --verbosity',
    '--filter',
    '-p --property',
    '--logger',
    '--collect',
  ),
  ...takes('write-tree', '-o --output', '--results-directory'),
  ...takes('read', '--project', '-s --settings'),
];

const dotnet = toolFamily(
  'dotnet',
  [
    tool('build test run publish pack restore clean msbuild format', {
      options: dotnetOptions,
      operands: each('text'),
      always: [reaches('api.nuget.org'), writes('.'), ...builders],
    }),
    tool('new sln add list remove nuget tool', {
      options: dotnetOptions,
      operands: each('text'),
      always: [reaches('api.nuget.org'), writes('.'), ...builders],
    }),
  ],
  { options: flags('--version', '--info', '--list-sdks', '--list-runtimes', '-h --help') },
);

const swift = toolFamily(
  'swift',
  [
    tool('build test run package', {
      options: [
        ...flags('-v --verbose', '--parallel', '--static-swift-stdlib'),
        ...takes('text', '-c --configuration', '--product', '--target', '--filter'),
        ...takes('directory', '--package-path'),
        ...takes('write-tree', '--scratch-path --build-path'),
      ],
      operands: each('text'),
      always: [writes('.'), ...builders],
    }),
  ],
  // Without a subcommand it runs typed code.
  {
    options: flags('--version', '-h --help'),
    refine: runsInputWhenBare('--version', '-h'),
  },
);

const haskell: readonly ToolSpec[] = [
  tool('ghc', {
    grammar: 'long',
    options: [
      ...flags('-O', '-O0', '-O1', '-O2', '-Wall', '-Werror', '--version', '--make', '-c', '-v', '-threaded'),
      ...takes('write', '-o'),
      ...takes('write-tree', '-outputdir', '-odir', '-hidir'),
      ...takes('code', '-e'),
      ...warnsTaking(
        opaqueEffect('inline-code', '`-pgm` and `-fplugin` run programs or load code'),
        '-pgm*',
        '-fplugin*',
        '-F',
      ),
    ],
    operands: each('read'),
    always: [writes('.'), ...repositoryCode('templates that the sources run while they compile')],
  }),
  ...['cabal', 'stack'].map((name) =>
    toolFamily(
      name,
      [
        tool('build test run bench install', {
          options: [
            ...flags('-v', '--fast', '--enable-tests', '--only-dependencies'),
            ...takes('text', '-j --jobs', '-f --flags'),
          ],
          operands: each('text'),
          always: [reaches('hackage.haskell.org'), writes('.'), ...builders],
        }),
      ],
      { options: flags('--version', '--help') },
    ),
  ),
];

export const compiledTools: readonly ToolSpec[] = [
  go,
  tool('gofmt', {
    grammar: 'long',
    options: [
      ...flags('-l', '-d', '-e', '-s'),
      ...warns(writes('.'), '-w'),
      ...takes('text', '-r'),
      ...takes('write', '-cpuprofile'),
    ],
    operands: each('read-tree'),
  }),
  cargo,
  rustc,
  rustfmt,
  rustup,
  cc,
  ...java,
  ...jvm,
  ...classViewers,
  dotnet,
  swift,
  ...haskell,
];
