import { runsInputWhenBare } from '../languages/runs-input.ts';
import { each, flags, inOrder, maybe, opaqueEffect, takes, tool, warnsTaking } from '../notation.ts';
import type { ToolSpec } from '../types.ts';
import { orShell } from './texts-of-words.ts';

const otherRoot = opaqueEffect('inline-code', 'programs of another root directory run');
const preloaded = opaqueEffect('inline-code', 'a library of the arguments is loaded into the program');

/**
 * Programs that run another one in another place: a namespace, a root directory, a loader, one file for many programs.
 * Sources: `unshare(1)` of util-linux, `chroot(1)` of coreutils, `ld.so(8)`, `ld.so --help` of glibc 2.36.
 */
export const placeTools: readonly ToolSpec[] = [
  tool('unshare', {
    grammar: 'getopt-posix',
    options: [
      ...maybe(
        'text',
        '-m --mount',
        '-u --uts',
        '-i --ipc',
        '-n --net',
        '-p --pid',
        '-U --user',
        '-C --cgroup',
        '-T --time',
        '--kill-child',
        '--mount-proc',
      ),
      ...flags(
        '-f --fork',
        '-r --map-root-user',
        '-c --map-current-user',
        '--map-auto',
        '--keep-caps',
        '-h --help',
        '-V --version',
      ),
      ...takes(
        'text',
        '--map-user',
        '--map-group',
        '--map-users',
        '--map-groups',
        '--propagation',
        '--setgroups',
        '-S --setuid',
        '-G --setgid',
        '--monotonic',
        '--boottime',
      ),
      ...takes('directory', '-w --wd'),
      ...warnsTaking(otherRoot, '-R --root'),
    ],
    operands: inOrder(['command']),
    refine: ({ operands }) => orShell('unshare')(operands),
  }),
  tool('chroot', {
    grammar: 'getopt-posix',
    options: [...takes('text', '--groups', '--userspec'), ...flags('--skip-chdir', '--help', '--version')],
    operands: inOrder(['read-tree', 'command']),
    always: [otherRoot],
  }),
  ...['busybox', 'toybox'].map((name) =>
    tool(name, {
      grammar: 'getopt-posix',
      options: flags('--list', '--list-full', '--help'),
      operands: inOrder(['command']),
      always: [opaqueEffect('unknown-tool', `\`${name}\` has programs of its own, which are not the specified ones`)],
    }),
  ),
  tool(
    'ld.so ld-linux.so.2 ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 ld-linux-armhf.so.3 ld-musl-x86_64.so.1 ld-musl-aarch64.so.1 ld64.so.2',
    {
      grammar: 'getopt-posix',
      options: [
        ...flags(
          '--list',
          '--verify',
          '--inhibit-cache',
          '--list-tunables',
          '--list-diagnostics',
          '--help',
          '--version',
        ),
        ...takes('text', '--argv0'),
        ...warnsTaking(preloaded, '--preload', '--audit', '--library-path'),
      ],
      operands: inOrder(['command']),
    },
  ),
  tool('linux64', {
    grammar: 'getopt-posix',
    options: flags('-R --addr-no-randomize', '-v --verbose'),
    operands: inOrder(['command']),
    // Without a command it starts a shell.
    refine: runsInputWhenBare(),
  }),
  /** Not a wrapper that can be analysed: the inner box has paths of its own. */
  tool('bwrap', {
    grammar: 'words',
    operands: each('text'),
    always: [opaqueEffect('inline-code', 'programs of another namespace run')],
  }),
];
