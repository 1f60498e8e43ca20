import { each, flags, inOrder, noSpan, takes, tool, warns } from '../notation.ts';
import { hasOption } from '../parsed-options.ts';
import type { Refine, ToolSpec } from '../types.ts';
import { change } from './machine-changes.ts';

export const later = change('leaves something that runs later, outside of this command');

const startsLater: Refine = (parsed) => {
  if (parsed.operands.length > 0 || parsed.options.length === 0)
    return {
      opaque: [
        { kind: 'inline-code', message: 'installs commands that run later', span: parsed.operands[0]?.span ?? noSpan },
      ],
    };
  return {};
};

export const schedulers: readonly ToolSpec[] = [
  tool('crontab', {
    options: [...flags('-l', '-i'), ...takes('text', '-u'), ...warns(later, '-e', '-r')],
    operands: each('code-file'),
    refine: startsLater,
  }),
  tool('at batch', {
    options: [
      ...flags('-l', '-m', '-v', '-V', '-b'),
      ...takes('text', '-q', '-t'),
      ...takes('code-file', '-f'),
      ...takes('text', '-c'),
      ...warns(change('removes jobs'), '-d', '-r'),
    ],
    operands: each('text'),
    refine: (parsed) =>
      // `-b` makes it `batch`, also beside a question.
      hasOption(parsed, '-l', '-V', '-c') && !hasOption(parsed, '-b')
        ? {}
        : {
            opaque: [
              {
                kind: 'stdin-code',
                message: 'runs its input later',
                span: parsed.operands[0]?.span ?? noSpan,
              },
            ],
          },
  }),
  tool('atq'),
  tool('systemd-run', {
    grammar: 'getopt-posix',
    options: [
      ...flags('--user', '--scope', '--system', '-t --pty', '-P --pipe', '-d --same-dir', '-G --collect', '-q --quiet'),
      ...flags('-r --remain-after-exit', '--wait', '--no-block', '--no-ask-password', '-S --shell'),
      ...takes('text', '-u --unit', '--description', '--slice', '--nice', '--on-active', '--on-boot', '--on-calendar'),
      ...takes('text', '--on-startup', '--on-unit-active', '--on-unit-inactive', '--timer-property', '--uid', '--gid'),
      ...takes('directory', '--working-directory'),
    ],
    operands: inOrder(['command']),
    always: [change('runs a command outside of the box, as a service')],
  }),
];
