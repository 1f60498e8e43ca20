import {
  each,
  toolFamily,
  flags,
  inOrder,
  maybe,
  opaqueEffect,
  reaches,
  reachesUnknown,
  takes,
  tool,
  warns,
  warnsTaking,
  writes,
} from '../notation.ts';
import type { Refine } from '../types.ts';
import { wordAsTyped } from '../words.ts';
import { packageSources } from './sources.ts';
import { runsInput, runsInputWhenBare } from './runs-input.ts';
import { projectModules } from './package-manager-options.ts';

export const node = tool('node nodejs', {
  grammar: 'getopt-posix',
  options: [
    ...flags(
      '-v --version',
      '-h --help',
      '--v8-options',
      '--trace-warnings',
      '--trace-deprecation',
      '--no-warnings',
      '--no-deprecation',
      '--throw-deprecation',
      '--enable-source-maps',
      '--expose-gc',
      '--preserve-symlinks',
      '--test-only',
      '--experimental-strip-types',
      '--no-experimental-strip-types',
      '--experimental-transform-types',
      '--experimental-vm-modules',
      '--pending-deprecation',
      '--trace-uncaught',
      '--watch-preserve-output',
      '--permission',
    ),
    ...takes(
      'text',
      '--max-old-space-size',
      '--stack-trace-limit',
      '--unhandled-rejections',
      '--test-name-pattern',
      '--test-reporter-destination',
      '--input-type',
      '--conditions -C',
      '--title',
      '--test-concurrency',
      '--test-timeout',
      '--dns-result-order',
    ),
    { names: ['-c', '--check'], operands: inOrder(['read'], 'text') },
    ...takes('code', '-e --eval', '-p --print').map((option) => ({ ...option, operands: each('text') })),
    ...takes(
      'code-file',
      '-r --require',
      '--import',
      '--loader --experimental-loader',
      '--test-reporter',
      '--test-global-setup',
    ),
    ...takes('read', '--env-file', '--env-file-if-exists'),
    ...warnsTaking(
      opaqueEffect('inline-code', '`--experimental-config-file` can load code'),
      '--experimental-config-file',
    ),
    ...takes('write-tree', '--cpu-prof-dir', '--diagnostic-dir', '--report-dir'),
    ...warns(opaqueEffect('repository-code', '`--test` runs the test files of the project'), '--test', '--watch'),
    ...warns(opaqueEffect('stdin-code', '`--interactive` runs typed code'), '-i --interactive'),
    ...warnsTaking(opaqueEffect('repository-code', '`--run` runs a script of package.json'), '--run'),
    {
      names: ['--inspect', '--inspect-brk', '--inspect-wait'],
      value: 'optional',
      effect: opaqueEffect('inline-code', '`--inspect` lets others run code in the process'),
    },
    ...warnsTaking(
      opaqueEffect('inline-code', '`--openssl-config` can load a library'),
      '--openssl-config',
      '--icu-data-dir',
    ),
  ],
  operands: inOrder(['code-file'], 'text'),
  refine: runsInput('-v', '-h', '-e', '-p', '--v8-options', '--test', '--run'),
});

/** A module from another host is code that nobody here has seen. */
const remoteModule: Refine = (parsed, context) => {
  const first = parsed.operands[0];
  if (first === undefined || !/^(?:https?|npmManager|jsr|data):/iu.test(wordAsTyped(first))) return {};
  return {
    ...packageSources({ ...parsed, operands: [first] }, context),
    opaque: [{ kind: 'inline-code', message: `\`${wordAsTyped(first)}\` is code of another host`, span: first.span }],
  };
};

const permissions = flags(
  '-A --allow-all',
  '--no-prompt',
  '-q --quiet',
  '--no-check',
  '--no-lock',
  '--frozen',
  '--cached-only',
  '--no-remote',
  '--no-npm',
);

export const deno = toolFamily(
  'deno',
  [
    tool('run serve', {
      grammar: 'getopt-posix',
      options: [
        ...permissions,
        ...maybe(
          'text',
          '-R --allow-read',
          '-W --allow-write',
          '-N --allow-net',
          '-E --allow-env',
          '--allow-run',
          '--allow-sys',
          '--allow-ffi',
          '--check',
          '-r --reload',
          '--watch',
        ),
        ...takes('code-file', '--preload', '--import-map', '-c --config'),
      ],
      operands: inOrder(['code-file'], 'text'),
      refine: remoteModule,
    }),
    tool('test bench task check', {
      options: [...permissions, ...flags('--coverage', '--parallel'), ...takes('text', '--filter')],
      operands: each('text'),
      always: projectModules,
    }),
    tool('eval', { options: permissions, operands: each('code') }),
    tool('fmt', {
      options: [{ names: ['--check'], operands: each('read-tree') }],
      operands: { kind: 'each', role: 'write-tree', absent: '.' },
    }),
    tool('lint', { options: [...flags('--fix', '--json')], operands: each('read-tree'), always: projectModules }),
    tool('info doc', { operands: each('text'), refine: reachesUnknown('hosts of imported modules') }),
    tool('install add cache', {
      options: permissions,
      operands: each('text'),
      always: [reaches('jsr.io'), reaches('registry.npmjs.org'), writes('.'), ...projectModules],
    }),
  ],
  {
    options: flags('-V --version', '-h --help'),
    refine: runsInputWhenBare('-V', '-h'),
  },
);
