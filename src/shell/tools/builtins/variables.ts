import type { Opacity, Word } from '../../types.ts';
import { each, flags, takes, tool } from '../notation.ts';
import type { Refine, ToolSpec } from '../types.ts';
import { mayBeOption, mayBeSeveral, wordAsTyped, plainText } from '../words.ts';

/** `export A=$b` is one word to the shell, for every value of `$b`. So these read their words themselves. */
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

const readBuiltin = tool('read', {
  grammar: 'getopt-posix',
  operands: each('text'),
  options: [...flags('-e', '-r', '-s'), ...takes('text', '-a', '-d', '-i', '-n', '-N', '-p', '-t', '-u')],
  refine: readsNames,
});

const arrayName = namesAll('mapfile');

/** The last command of a callback gets a number and a line, as further words. */
const fillsArray: Refine = (parsed, context) => {
  const callback = parsed.options.find(({ spec }) => spec.names.includes('-C'))?.value;
  const adds: readonly Opacity[] =
    callback === undefined
      ? []
      : [{ kind: 'inline-code', message: `adds words to \`${wordAsTyped(callback)}\``, span: callback.span }];
  return { opaque: [...(arrayName(parsed, context).opaque ?? []), ...adds] };
};

const mapfile = tool('mapfile readarray', {
  grammar: 'getopt-posix',
  operands: each('text'),
  options: [...flags('-t'), ...takes('text', '-d', '-n', '-O', '-s', '-u', '-c'), ...takes('script', '-C')],
  refine: fillsArray,
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

export const variableTools: readonly ToolSpec[] = [
  ...declaration('export', 'fnp'),
  ...declaration('readonly', 'aAfp'),
  ...declaration('declare typeset local', 'aAfFgilnrtuxp'),
  readBuiltin,
  mapfile,
  unset,
  wait,
  getopts,
  letTool,
  printf,
  test,
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
