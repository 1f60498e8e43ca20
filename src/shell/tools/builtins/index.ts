/**
 * Builtins of the shell, except those that run other commands (`eval`, `source`, `exec`, `command`), which are
 * wrappers. The analysis, not this table, follows changes to the shell that affect later commands.
 */
import type { Opacity, Word } from '../../types.ts';
import { each, flags, inOrder, noSpan, opaqueEffect, takes, tool } from '../notation.ts';
import type { Refine, Refinement, ToolSpec } from '../types.ts';
import { wordAsTyped, staticWord, plainText } from '../words.ts';
import { variableTools } from './variables.ts';

const words = (names: string): readonly ToolSpec[] =>
  names.split(' ').map((name) => tool(name, { grammar: 'words', operands: each('text') }));

/** Options of `set` may also start with `+`. */
const setLetters = [...'abefhkmnptuvxBCEHPT'].flatMap((letter) => [`-${letter}`, `+${letter}`]);

/** They make `cd` follow links, or turn words into assignments in any position. */
const strangeOptions = ['physical', 'keyword'];

const set = tool('set', {
  grammar: 'getopt-posix',
  operands: each('text'),
  options: [...flags(...setLetters), ...takes('text', '-o', '+o')],
  refine: ({ options }) =>
    strange(
      options.find(
        ({ spelled, value }) =>
          spelled === '-P' ||
          spelled === '-k' ||
          (spelled === '-o' && (value?.kind !== 'static' || strangeOptions.includes(value.value))),
      )?.spelled,
      'set',
    ),
});

const cd = tool('cd', {
  grammar: 'getopt-posix',
  operands: inOrder(['directory']),
  options: flags('-L', '-P', '-e', '-@'),
});

const pushd = tool('pushd', { grammar: 'getopt-posix', operands: inOrder(['directory']), options: flags('-n', '-#') });

const popd = tool('popd', { grammar: 'getopt-posix', operands: inOrder(['text']), options: flags('-n', '-#') });

const dirs = tool('dirs', { operands: each('text'), options: flags('-c', '-l', '-p', '-v', '-#') });

const pwd = tool('pwd', {
  operands: each('text'),
  options: flags('-L --logical', '-P --physical', '--help', '--version'),
});

/**
 * Options that do not change how texts are readBuiltin. The others do: `cdable_vars` takes directories from variables,
 * `lastpipe` ends pipelines in the shell itself.
 */
const usualOptions = new Set([
  'nullglob',
  'failglob',
  'dotglob',
  'globstar',
  'nocaseglob',
  'nocasematch',
  'extglob',
  'inherit_errexit',
  'checkwinsize',
  'histappend',
  'globasciiranges',
]);

const shopt = tool('shopt', {
  grammar: 'getopt-posix',
  operands: each('text'),
  options: flags('-s', '-u', '-q', '-p', '-o'),
  refine: ({ options, operands }) =>
    options.some(({ spelled }) => spelled === '-s' || spelled === '-u')
      ? strange(
          operands.map(wordAsTyped).find((name) => !usualOptions.has(name)),
          'shopt',
        )
      : {},
});

function strange(name: string | undefined, builtin: string): Refinement {
  return name === undefined
    ? {}
    : {
        opaque: [
          {
            kind: 'shell',
            message: `\`${builtin}\` with \`${name}\` changes how the text after it is read`,
            span: noSpan,
          },
        ],
      };
}

const type = tool('type', {
  grammar: 'getopt-posix',
  operands: each('text'),
  options: flags('-a', '-f', '-t', '-p', '-P'),
});

/** `-C` and `-F` run, and words of `-W` expand. */
const compgen = tool('compgen', {
  grammar: 'getopt-posix',
  operands: each('text'),
  options: [
    ...flags('-a', '-b', '-c', '-d', '-e', '-f', '-g', '-j', '-k', '-s', '-u', '-v'),
    ...takes('text', '-A', '-G', '-P', '-S', '-X', '-o'),
    ...takes('refused', '-C', '-F', '-W'),
  ],
});

/** Without `-l` it opens an editor and runs what comes out. */
const fc = tool('fc', {
  operands: each('text'),
  options: flags('-l', '-n', '-r', '-#'),
  refine: ({ options }) =>
    options.some(({ spelled }) => spelled === '-l')
      ? {}
      : { opaque: [{ kind: 'inline-code', message: '`fc` runs commands of the history', span: noSpan }] },
});

const jobs = tool('jobs', { operands: each('text'), options: flags('-l', '-n', '-p', '-r', '-s') });

const disown = tool('disown', { operands: each('text'), options: flags('-a', '-h', '-r') });

/** `trap - INT` and `trap 2` reset the signal. Otherwise the first word is a shell text. */
const traps: Refine = ({ operands, options }) => {
  const [action, ...signals] = operands;
  const text = plainText(action);
  if (
    action === undefined ||
    options.length > 0 ||
    text === '-' ||
    text === '' ||
    (signals.length === 0 && /^(?:\d+|[A-Z]\w*)$/u.test(text ?? ''))
  )
    return {};
  return { scripts: [action] };
};

const trap = tool('trap', {
  grammar: 'getopt-posix',
  operands: each('text'),
  options: flags('-l', '-p'),
  refine: traps,
});

/** The value of the alias is readBuiltin as a shell text, whether or not it is used later. */
const defines: Refine = ({ operands }) => {
  const found = operands.map((word) => ({ word, text: plainText(word) }));
  return {
    scripts: found.flatMap(({ word, text }) =>
      text?.includes('=') === true ? [staticWord(text.slice(text.indexOf('=') + 1), word.span)] : [],
    ),
    opaque: found.flatMap(({ word, text }): readonly Opacity[] =>
      text === undefined
        ? [{ kind: 'inline-code', message: `\`${wordAsTyped(word)}\` of \`alias\` is not known`, span: word.span }]
        : [],
    ),
  };
};

const alias = tool('alias', { grammar: 'words', operands: each('text'), refine: defines });

const unalias = tool('unalias', { operands: each('text'), options: flags('-a') });

/** `-p` makes a name mean another program. */
const hash = tool('hash', {
  grammar: 'getopt-posix',
  operands: each('text'),
  options: [
    ...flags('-r', '-l', '-d', '-t'),
    {
      names: ['-p'],
      value: 'required',
      role: 'program',
      effect: opaqueEffect('dynamic-program', '`hash -p` makes a name mean another program'),
    },
  ],
});

/** `-a`, `-w`, `-r` and `-n` take a file. Without one they use the shell's own. */
const historyFile: Refine = ({ operands, options }, { path }) => {
  const spelled = options.map((option) => option.spelled);
  const file: Word = operands[0] ?? {
    kind: 'static',
    value: '/.bash_history',
    lead: 'home',
    span: { start: 0, end: 0 },
  };
  const isRead = spelled.some((name) => name === '-r' || name === '-n');
  const isWritten = spelled.some((name) => name === '-a' || name === '-w');
  const effect = path(file, isWritten ? 'write' : 'read', 'file');
  const unclear: readonly Opacity[] =
    effect.path === undefined && (isRead || isWritten)
      ? [
          {
            kind: 'dynamic-word',
            message: `\`${wordAsTyped(file)}\` of \`history\` is no file that is known`,
            span: file.span,
          },
        ]
      : [];
  return { reads: isRead ? [path(file, 'read', 'file')] : [], writes: isWritten ? [effect] : [], opaque: unclear };
};

const history = tool('history', {
  operands: inOrder(['text']),
  options: [...flags('-c', '-a', '-n', '-r', '-w'), ...takes('text', '-d')],
  refine: historyFile,
});

const codeTools: readonly ToolSpec[] = [trap, alias, unalias, hash, history];

export const builtinsTools: readonly ToolSpec[] = [
  ...words('echo : true false exit return break continue shift umask ulimit times fg bg suspend logout caller help'),
  set,
  cd,
  pushd,
  popd,
  dirs,
  pwd,
  shopt,
  type,
  compgen,
  fc,
  jobs,
  disown,
  ...variableTools,
  ...codeTools,
];
