import { flags, each, inOrder, opaqueEffect, reaches, reads, takes, tool, toolFamily, writes } from '../notation.ts';
import { buildsProject, packageIndex, pipCommands, pipOptions } from './python-packages.ts';

const runsPackage = [...packageIndex, opaqueEffect('inline-code', 'runs a package, which may come from the registry')];

export const uv = toolFamily(
  'uv',
  [
    toolFamily('pip', [
      ...pipCommands,
      tool('tree', {
        options: [...pipOptions, ...flags('--show-version-specifiers', '--invert'), ...takes('text', '-d --depth')],
      }),
    ]),
    toolFamily('python', [
      tool('find', { options: flags('--system', '--offline'), operands: each('text') }),
      tool('list dir', {
        options: [...flags('--only-installed', '--all-versions', '--offline'), ...takes('text', '--output-format')],
        operands: each('text'),
      }),
      tool('install uninstall pin upgrade update-shell', {
        operands: each('text'),
        always: [reaches('github.com'), opaqueEffect('unknown-option', 'changes the versions of Python')],
      }),
    ]),
    toolFamily('cache', [
      tool('dir size'),
      tool('clean prune', { operands: each('text'), always: [writes('~/.cache/uv')] }),
    ]),
    toolFamily('tool', [
      tool('list dir', { options: flags('--show-paths', '--show-version-specifiers') }),
      tool('run install upgrade uninstall update-shell', { operands: each('text'), always: runsPackage }),
    ]),
    tool('sync lock add remove build init', {
      options: [
        ...flags(
          '--frozen',
          '--locked',
          '--all-extras',
          '--dev',
          '--no-dev',
          '-q --quiet',
          '-v --verbose',
          '-U --upgrade',
          '--offline',
          '--no-install-project',
          '--all-groups',
        ),
        ...takes('text', '--extra', '--group', '-p --python'),
        ...takes('directory', '--directory', '--project'),
      ],
      operands: each('text'),
      always: [...packageIndex, writes('.'), ...buildsProject],
    }),
    tool('run', {
      grammar: 'getopt-posix',
      options: [
        ...flags(
          '--frozen',
          '--locked',
          '--no-sync',
          '-q --quiet',
          '--isolated',
          '--no-project',
          '--offline',
          '--all-extras',
        ),
        ...takes('text', '--extra', '--group', '--with', '-p --python'),
        ...takes('read', '--with-requirements', '--env-file'),
        ...takes('directory', '--directory', '--project'),
        { names: ['-m', '--module'], effect: opaqueEffect('repository-code', '`-m` runs a module') },
      ],
      operands: inOrder(['command']),
      always: [...packageIndex, ...buildsProject],
    }),
    tool('tree export', {
      options: [
        ...flags('--frozen', '--locked', '-q --quiet', '--no-dev', '--no-hashes'),
        ...takes('text', '--format', '-d --depth'),
        ...takes('write', '-o --output-file'),
      ],
      always: [reads('.')],
    }),
    tool('venv', {
      options: [...flags('--seed', '-q --quiet', '--clear'), ...takes('text', '-p --python', '--prompt')],
      operands: { kind: 'each', role: 'write-tree', absent: '.venv' },
    }),
    tool('x', { operands: each('text'), always: runsPackage }),
  ],
  {
    options: [
      ...flags('-V --version', '-q --quiet', '-v --verbose', '--offline', '--no-cache -n', '-h --help'),
      ...takes('directory', '--directory', '--project'),
    ],
  },
);
