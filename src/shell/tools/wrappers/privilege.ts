import { flags, inOrder, each, opaqueEffect, takes, tool, warns } from '../notation.ts';
import type { ParsedArguments, Refine, Refinement, ToolSpec } from '../types.ts';
import { because } from './texts-of-words.ts';
import { hasOption } from '../parsed-options.ts';

const loginShell = opaqueEffect('inline-code', 'starts a shell, which reads its start-up files');
const otherUserShell = ['-g --group', '-G --supp-group', '-w --whitelist-environment'];

/** Sources: `sudo(8)`, `doas(1)`, `su(1)` and `runuser(1)` of util-linux. */
export const privilegeTools: readonly ToolSpec[] = [
  tool('sudo', {
    grammar: 'getopt-posix',
    options: [
      ...flags(
        '-b --background',
        '-E',
        '-H --set-home',
        '-k --reset-timestamp',
        '-K --remove-timestamp',
        '-l --list',
        '-n --non-interactive',
        '-P --preserve-groups',
        '-S --stdin',
        '-v --validate',
        '-V --version',
        '--help',
      ),
      ...takes('text', '-C --close-from', '-g --group', '-p --prompt', '-T --command-timeout', '-u --user'),
      ...takes('directory', '-D --chdir'),
      ...warns(loginShell, '-i --login', '-s --shell'),
    ],
    operands: inOrder(['assignment', 'command']),
  }),
  tool('doas', {
    grammar: 'getopt-posix',
    options: [...flags('-L', '-n'), ...takes('text', '-u'), ...takes('read', '-C'), ...warns(loginShell, '-s')],
    operands: inOrder(['command']),
  }),
  tool('su', {
    options: [...suOptions()],
    operands: each('text'),
    refine: (parsed) => shellOf('su', parsed),
  }),
  tool('runuser', {
    options: [...suOptions(), ...takes('text', '-u --user')],
    operands: each('text'),
    refine: runuser,
  }),
];

function suOptions(): ToolSpec['options'] {
  return [
    ...flags('-m -p --preserve-environment', '-f --fast', '-P --pty', '-h --help', '-V --version'),
    ...warns(loginShell, '-l --login'),
    ...takes('text', ...otherUserShell),
    ...takes('script', '-c --command', '--session-command'),
    ...takes('program', '-s --shell'),
  ];
}

/** `runuser -u USER -- COMMAND` runs a command. Every other form runs a shell, as `su` does. */
function runuser(parsed: Parameters<Refine>[0]): Refinement {
  const named = hasOption(parsed, '-u');
  if (!named) return shellOf('runuser', parsed);
  return parsed.operands.length === 0 ? {} : { commands: [parsed.operands] };
}

/** Words after the user's name are arguments of the shell, and one of them may be a shell text. */
function shellOf(program: string, { options, operands }: ParsedArguments): Refinement {
  if (options.some(({ spec }) => spec.names.includes('--help') || spec.names.includes('--version'))) return {};
  const login = operands[0]?.kind === 'static' && operands[0].value === '-';
  const opaqueBecause = [
    ...(login
      ? [because('inline-code', `\`${program} -\` starts a login shell, which reads its start-up files`, operands)]
      : []),
    ...(operands.length > (login ? 2 : 1)
      ? [because('inline-code', `\`${program}\` hands words on to a shell`, operands)]
      : []),
    ...(options.some(({ spec }) => spec.names.includes('-c') || spec.names.includes('--session-command'))
      ? []
      : [because('stdin-code', `\`${program}\` without \`-c\` starts a shell that reads its input`, operands)]),
  ];
  return { opaque: opaqueBecause };
}
