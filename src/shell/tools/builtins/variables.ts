import type { Opacity, Word } from '../../types.ts';
import { each, flags, takes, tool } from '../notation.ts';
import type { Refine, ToolSpec } from '../types.ts';
import { mayBeOption, mayBeSeveral, shown, textOf } from '../words.ts';
import { nameReasons } from './names.ts';

/** `export A=$b` is one word for the shell, whatever `$b` holds, so these read their words themselves. */
const declares =
  (name: string, letters: string): Refine =>
  ({ operands }) => {
    const isFlag = (word: Word): boolean => new RegExp(`^[-+][${letters}]+$|^--$`, 'u').test(textOf(word) ?? '');
    const others = operands.filter((word) => !isFlag(word));
    const unknown = others.filter((word) => word.kind === 'static' && /^[-+]/u.test(word.value));
    return {
      opaque: [
        ...unknown.map((word): Opacity => ({ kind: 'unknown-option', message: `\`${shown(word)}\` is no option of \`${name}\` that is known`, span: word.span })),
        ...nameReasons(name, others.filter((word) => !unknown.includes(word))),
      ],
    };
  };
const declaration = (names: string, letters: string): readonly ToolSpec[] => names.split(' ').map((name) => tool(name, { grammar: 'words', operands: each('text'), refine: declares(name, letters) }));

const namesAll =
  (name: string): Refine =>
  ({ operands }) => ({ opaque: nameReasons(name, operands) });

/** The value of `-a` is a name as well. */
const readsNames: Refine = ({ operands, options }) => ({
  opaque: nameReasons('read', [...operands, ...options.flatMap(({ spec, value }) => (spec.names.includes('-a') && value !== undefined ? [value] : []))]),
});
const read = tool('read', { grammar: 'getopt-posix', operands: each('text'), options: [...flags('-e', '-r', '-s'), ...takes('text', '-a', '-d', '-i', '-n', '-N', '-p', '-t', '-u')], refine: readsNames });
const mapfile = tool('mapfile readarray', { grammar: 'getopt-posix', operands: each('text'), options: [...flags('-t'), ...takes('text', '-d', '-n', '-O', '-s', '-u', '-c'), ...takes('script', '-C')], refine: namesAll('mapfile') });
const unset = tool('unset', { grammar: 'getopt-posix', operands: each('text'), options: flags('-f', '-v', '-n'), refine: namesAll('unset') });
const wait = tool('wait', { grammar: 'getopt-posix', operands: each('text'), options: flags('-f', '-n') });
const getopts = tool('getopts', { grammar: 'words', operands: each('text'), refine: ({ operands }) => ({ opaque: nameReasons('getopts', operands.slice(1, 2)) }) });

/** Names in arithmetic are evaluated in their turn, and so are subscripts. */
const computes: Refine = ({ operands }) => ({
  opaque: operands
    .filter((word) => !/^[\w\s+\-*/%<>=!&|^~?:,()]*$/u.test(textOf(word) ?? '$'))
    .map((word) => ({ kind: 'inline-code', message: `\`${shown(word)}\` of \`let\` may run code`, span: word.span })),
});
const letTool = tool('let', { grammar: 'words', operands: each('text'), refine: computes });

/** `-v NAME` puts the text into a variable, and evaluates a subscript of it. */
const formats: Refine = ({ operands }) => {
  const [first, second] = operands;
  if (first === undefined) return {};
  const text = textOf(first);
  if (text === '-v') return { opaque: nameReasons('printf', second === undefined ? [] : [second]) };
  if (text?.startsWith('-v') === true) return { opaque: nameReasons('printf', [{ kind: 'static', value: text.slice(2), span: first.span }]) };
  return { opaque: text === undefined && mayBeOption(first) ? [{ kind: 'dynamic-word', message: `\`${shown(first)}\` may become an option of \`printf\``, span: first.span }] : [] };
};
const printf = tool('printf', { grammar: 'words', operands: each('text'), refine: formats });

/** `-v NAME` evaluates a subscript; words that are not known may become such an expression. */
const tests: Refine = ({ operands }, { path }) => {
  const reasons = operands.flatMap((word, at): readonly Opacity[] => {
    const before = operands[at - 1];
    if (mayBeSeveral(word)) return [{ kind: 'dynamic-word', message: `\`${shown(word)}\` may become an expression of \`test\``, span: word.span }];
    if (before === undefined) return [];
    if (/^-[vR]$/u.test(textOf(before) ?? '')) return nameReasons('test', [word]);
    const isSuspect = word.kind === 'dynamic' || /[[$`]/u.test(textOf(word) ?? '');
    return isSuspect && before.kind === 'dynamic' ? [{ kind: 'dynamic-word', message: `\`${shown(before)}\` may become an operator of \`test\``, span: before.span }] : [];
  });
  const files = operands.filter((word, at) => word.kind === 'static' && (at === 1 ? /^-[a-hkprstuwxGLNOS]$/u : /^-[b-hkprstuwxGLNOS]$/u).test(textOf(operands[at - 1]) ?? ''));
  return { reads: files.filter((word) => textOf(word) !== ']').map((word) => path(word, 'read', 'file')), opaque: reasons };
};
const test = tool('test [', { grammar: 'words', operands: each('text'), refine: tests });

export const variableTools: readonly ToolSpec[] = [
  ...declaration('export', 'fnp'),
  ...declaration('readonly', 'aAfp'),
  ...declaration('declare typeset local', 'aAfFgilnrtuxp'),
  read, mapfile, unset, wait, getopts, letTool, printf, test,
];
