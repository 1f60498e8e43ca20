/**
 * Builtins of the shell, except those that run other commands (`eval`, `source`, `exec`, `command`), which are
 * wrappers. The analysis, not this table, follows changes to the shell that affect later commands.
 */
import type { Opacity, Word } from '../../types.ts';
import { each, flags, inOrder, noSpan, opaqueEffect, takes, tool } from '../notation.ts';
import type { Refine, Refinement, ToolSpec } from '../types.ts';
import { mayBeOption, mayBeSeveral, wordAsTyped, staticWord, plainText } from '../words.ts';

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
 * Options that do not change how texts are read. The others do: `cdable_vars` takes directories from variables,
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

/** The value of the alias is read as a shell text, whether or not it is used later. */
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

/** `export A=$b` is one word to the shell, whatever `$b` holds, so these read their words themselves. */
const declares =
  (name: string, letters: string): Refine =>
  ({ operands }) => {
    const isFlag = (word: Word): boolean => new RegExp(`^[-+][${letters}]+$|^--$`, 'u').test(plainText(word) ?? '');
    const others = operands.filter((word) => !isFlag(word));
    const unknown = others.filter((word) => word.kind === 'static' && /^[-+]/u.test(word.value));
    return {
      opaque: [
        ...unknown.map(
          (word): Opacity => ({
            kind: 'unknown-option',
            message: `\`${wordAsTyped(word)}\` is no option of \`${name}\` that is known`,
            span: word.span,
          }),
        ),
        ...nameReasons(
          name,
          others.filter((word) => !unknown.includes(word)),
        ),
      ],
    };
  };

const declaration = (names: string, letters: string): readonly ToolSpec[] =>
  names
    .split(' ')
    .map((name) => tool(name, { grammar: 'words', operands: each('text'), refine: declares(name, letters) }));

const namesAll =
  (name: string): Refine =>
  ({ operands }) => ({ opaque: nameReasons(name, operands) });

/** The value of `-a` is a name as well. */
const readsNames: Refine = ({ operands, options }) => ({
  opaque: nameReasons('read', [
    ...operands,
    ...options.flatMap(({ spec, value }) => (spec.names.includes('-a') && value !== undefined ? [value] : [])),
  ]),
});

const read = tool('read', {
  grammar: 'getopt-posix',
  operands: each('text'),
  options: [...flags('-e', '-r', '-s'), ...takes('text', '-a', '-d', '-i', '-n', '-N', '-p', '-t', '-u')],
  refine: readsNames,
});

const mapfile = tool('mapfile readarray', {
  grammar: 'getopt-posix',
  operands: each('text'),
  options: [...flags('-t'), ...takes('text', '-d', '-n', '-O', '-s', '-u', '-c'), ...takes('script', '-C')],
  refine: namesAll('mapfile'),
});

const unset = tool('unset', {
  grammar: 'getopt-posix',
  operands: each('text'),
  options: flags('-f', '-v', '-n'),
  refine: namesAll('unset'),
});

const wait = tool('wait', { grammar: 'getopt-posix', operands: each('text'), options: flags('-f', '-n') });

const getopts = tool('getopts', {
  grammar: 'words',
  operands: each('text'),
  refine: ({ operands }) => ({ opaque: nameReasons('getopts', operands.slice(1, 2)) }),
});

/** Arithmetic evaluates names again, and subscripts too. */
const computes: Refine = ({ operands }) => ({
  opaque: operands
    .filter((word) => !/^[\w\s+\-*/%<>=!&|^~?:,()]*$/u.test(plainText(word) ?? '$'))
    .map((word) => ({
      kind: 'inline-code',
      message: `\`${wordAsTyped(word)}\` of \`let\` may run code`,
      span: word.span,
    })),
});

const letTool = tool('let', { grammar: 'words', operands: each('text'), refine: computes });

/** `-v NAME` puts the text into a variable, and evaluates its subscript. */
const formats: Refine = ({ operands }) => {
  const [first, second] = operands;
  if (first === undefined) return {};
  const text = plainText(first);
  if (text === '-v') return { opaque: nameReasons('printf', second === undefined ? [] : [second]) };
  if (text?.startsWith('-v') === true)
    return { opaque: nameReasons('printf', [{ kind: 'static', value: text.slice(2), span: first.span }]) };
  return {
    opaque:
      text === undefined && mayBeOption(first)
        ? [
            {
              kind: 'dynamic-word',
              message: `\`${wordAsTyped(first)}\` may become an option of \`printf\``,
              span: first.span,
            },
          ]
        : [],
  };
};

const printf = tool('printf', { grammar: 'words', operands: each('text'), refine: formats });

/** `-v NAME` evaluates a subscript. Unknown words may become such an expression. */
const tests: Refine = ({ operands }, { path }) => {
  const reasons = operands.flatMap((word, at): readonly Opacity[] => {
    const before = operands[at - 1];
    if (mayBeSeveral(word))
      return [
        {
          kind: 'dynamic-word',
          message: `\`${wordAsTyped(word)}\` may become an expression of \`test\``,
          span: word.span,
        },
      ];
    if (before === undefined) return [];
    if (/^-[vR]$/u.test(plainText(before) ?? '')) return nameReasons('test', [word]);
    const isSuspect = word.kind === 'dynamic' || /[[$`]/u.test(plainText(word) ?? '');
    return isSuspect && before.kind === 'dynamic'
      ? [
          {
            kind: 'dynamic-word',
            message: `\`${wordAsTyped(before)}\` may become an operator of \`test\``,
            span: before.span,
          },
        ]
      : [];
  });
  const files = operands.filter(
    (word, at) =>
      word.kind === 'static' &&
      (at === 1 ? /^-[a-hkprstuwxGLNOS]$/u : /^-[b-hkprstuwxGLNOS]$/u).test(plainText(operands[at - 1]) ?? ''),
  );
  return {
    reads: files.filter((word) => plainText(word) !== ']').map((word) => path(word, 'read', 'file')),
    opaque: reasons,
  };
};

const test = tool('test [', { grammar: 'words', operands: each('text'), refine: tests });

const variableTools: readonly ToolSpec[] = [
  ...declaration('export', 'fnp'),
  ...declaration('readonly', 'aAfp'),
  ...declaration('declare typeset local', 'aAfFgilnrtuxp'),
  read,
  mapfile,
  unset,
  wait,
  getopts,
  letTool,
  printf,
  test,
];

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
  jobs,
  disown,
  ...variableTools,
  ...codeTools,
];

/**
 * Builtins that take names of variables evaluate a subscript in them: `unset 'a[$(id)]'` runs `id`. A plain name, or
 * one with a plain subscript, is harmless.
 */
function nameReasons(tool: string, words: readonly Word[]): readonly Opacity[] {
  return words.flatMap((word): readonly Opacity[] => {
    const text = plainText(word) ?? (word.kind === 'dynamic' ? word.text.replace(/^"/u, '') : wordAsTyped(word));
    const name = /^[^=]*?(?=\+?=|$)/u.exec(text)?.[0] ?? text;
    const isAssignment = text.length > name.length;
    if (/^[A-Za-z_]\w*(?:\[[\w@*]*\])?$/u.test(name) && (word.kind === 'static' || isAssignment)) return [];
    const kind = word.kind === 'static' ? 'inline-code' : 'dynamic-word';
    return [
      { kind, message: `\`${wordAsTyped(word)}\` of \`${tool}\` is no plain name of a variable`, span: word.span },
    ];
  });
}
