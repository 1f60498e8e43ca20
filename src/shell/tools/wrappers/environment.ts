import { each, toolFamily, flags, inOrder, maybe, opaqueEffect, repositoryCode, takes, tool } from '../notation.ts';
import type { ParsedArguments, Refinement, ToolSpec } from '../types.ts';
import type { Word } from '../../types.ts';
import { because } from './texts-of-words.ts';

/** Sources: `env(1)` of coreutils, `direnv(1)`, `nix-shell(1)`. */
export const environmentTools: readonly ToolSpec[] = [
  tool('env', {
    grammar: 'getopt-posix',
    options: [
      ...flags('-i --ignore-environment', '-0 --null', '-v --debug', '--list-signal-handling', '--help', '--version'),
      ...takes('text', '-u --unset'),
      ...takes('directory', '-C --chdir'),
      ...maybe('text', '--block-signal', '--default-signal', '--ignore-signal'),
      { names: ['-S', '--split-string'], value: 'required', role: 'text', operands: each('text') },
    ],
    operands: inOrder(['assignment', 'command']),
    refine: splitString,
  }),
  toolFamily('direnv', [
    tool('exec', {
      grammar: 'getopt-posix',
      operands: inOrder(['directory', 'command']),
      always: repositoryCode('the `.envrc` of the directory'),
    }),
    tool('status', { options: flags('--json') }),
    tool('version', {}),
  ]),
  tool('nix-shell', {
    options: [
      ...flags('--pure', '--impure', '--version', '--help'),
      ...takes('script', '--run', '--command'),
      ...takes('text', '-A --attr', '--keep'),
      { names: ['-p', '--packages'], operands: each('text') },
    ],
    operands: each('code-file'),
    always: repositoryCode('`shell.nix` or `default.nix`'),
    refine: ({ options }) =>
      options.some(({ spec }) => spec.role === 'script')
        ? {}
        : { opaque: [because('stdin-code', '`nix-shell` without `--run` starts a shell that reads its input', [])] },
  }),
  /** A process of another namespace is outside of everything known here. */
  tool('nsenter', {
    grammar: 'words',
    operands: each('text'),
    always: [opaqueEffect('inline-code', '`nsenter` runs programs of another namespace')],
  }),
];

/** `env -S` has quotes, escapes and variables of its own. Only words without any of them are split. */
function splitString({ options, operands }: ParsedArguments): Refinement {
  const texts = options.filter(({ spec }) => spec.names.includes('-S'));
  const [only] = texts;
  if (only === undefined) return {};
  const words = texts.length === 1 ? plainWords(only.value) : undefined;
  if (words === undefined)
    return {
      opaque: [
        because(
          'inline-code',
          '`env -S` takes a text apart that is not plain words',
          only.value === undefined ? [] : [only.value],
        ),
      ],
    };
  return { commands: [[...words, ...operands]] };
}

function plainWords(text: Word | undefined): readonly Word[] | undefined {
  if (text?.kind !== 'static' || text.lead !== undefined || !/^[\w./:@%+, -]*$/u.test(text.value)) return undefined;
  const words = text.value.split(' ').filter((word) => word !== '');
  if (words.length === 0 || words[0]?.startsWith('-') === true) return undefined;
  return words.map((value) => ({ kind: 'static', value, span: text.span }));
}
