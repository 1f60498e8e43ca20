import { each, toolFamily, flags, reads, takes, tool, unknownHost, writes } from '../notation.ts';
import { remoteHelpers, transportHelpers } from './transport-helpers.ts';

export const submodules = toolFamily(
  'submodule',
  [
    tool('status', { options: flags('--cached', '--recursive'), operands: each('read-tree'), always: [reads('.')] }),
    tool('summary', {
      options: [...flags('--cached', '--files'), ...takes('text', '-n --summary-limit')],
      operands: each('text'),
      always: [reads('.')],
    }),
    tool('init deinit sync', {
      options: flags('-f --force', '--all', '--recursive'),
      operands: each('text'),
      always: [writes('.'), writes('.git')],
    }),
    tool('update add', {
      options: [
        ...flags(
          '--init',
          '--remote',
          '-N --no-fetch',
          '-f --force',
          '--checkout',
          '--merge',
          '--rebase',
          '--recursive',
          '--progress',
          '--single-branch',
        ),
        ...takes('text', '--depth', '-b --branch', '--name', '-j --jobs'),
      ],
      operands: each('text'),
      always: [writes('.'), ...remoteHelpers],
      refine: (parsed) => ({
        hosts: [unknownHost('the remotes of the submodules')],
        opaque: transportHelpers(parsed.operands),
      }),
    }),
    tool('foreach', {
      grammar: 'getopt-posix',
      options: flags('--recursive'),
      operands: each('text'),
      always: [reads('.')],
      // One word is a shell text; several are a command.
      refine: ({ operands }) =>
        operands.length === 1 ? { scripts: operands } : { commands: operands.length === 0 ? [] : [operands] },
    }),
  ],
  { options: flags('-q --quiet', '--cached'), always: [reads('.')] },
);
