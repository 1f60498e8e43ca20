import type { Opacity, Word } from '../../types.ts';
import { each, flags, inOrder, opaque, takes, tool } from '../notation.ts';
import type { Refine, ToolSpec } from '../types.ts';
import { shown, staticWord, textOf } from '../words.ts';

/** `trap - INT` and `trap 2` give the signal back; otherwise the first word is a text of the shell. */
const traps: Refine = ({ operands, options }) => {
  const [action, ...signals] = operands;
  const text = textOf(action);
  if (action === undefined || options.length > 0 || text === '-' || text === '' || (signals.length === 0 && /^(?:\d+|[A-Z]\w*)$/u.test(text ?? ''))) return {};
  return { scripts: [action] };
};
const trap = tool('trap', { grammar: 'getopt-posix', operands: each('text'), options: flags('-l', '-p'), refine: traps });

/** What the name stands for is read as a text of the shell, whether or not it is used later. */
const defines: Refine = ({ operands }) => {
  const found = operands.map((word) => ({ word, text: textOf(word) }));
  return {
    scripts: found.flatMap(({ word, text }) => (text?.includes('=') === true ? [staticWord(text.slice(text.indexOf('=') + 1), word.span)] : [])),
    opaque: found.flatMap(({ word, text }): readonly Opacity[] => (text === undefined ? [{ kind: 'inline-code', message: `\`${shown(word)}\` of \`alias\` is not known`, span: word.span }] : [])),
  };
};
const alias = tool('alias', { grammar: 'words', operands: each('text'), refine: defines });
const unalias = tool('unalias', { operands: each('text'), options: flags('-a') });

/** `-p` makes a name mean another program. */
const hash = tool('hash', {
  grammar: 'getopt-posix',
  operands: each('text'),
  options: [...flags('-r', '-l', '-d', '-t'), { names: ['-p'], value: 'required', role: 'program', effect: opaque('dynamic-program', '`hash -p` makes a name mean another program') }],
});

/** `-a`, `-w`, `-r` and `-n` take a file; without one it is the shell's own. */
const historyFile: Refine = ({ operands, options }, { path }) => {
  const spelled = options.map((option) => option.spelled);
  const file: Word = operands[0] ?? { kind: 'static', value: '/.bash_history', lead: 'home', span: { start: 0, end: 0 } };
  const isRead = spelled.some((name) => name === '-r' || name === '-n');
  const isWritten = spelled.some((name) => name === '-a' || name === '-w');
  const effect = path(file, isWritten ? 'write' : 'read', 'file');
  const unclear: readonly Opacity[] = effect.path === undefined && (isRead || isWritten) ? [{ kind: 'dynamic-word', message: `\`${shown(file)}\` of \`history\` is no file that is known`, span: file.span }] : [];
  return { reads: isRead ? [path(file, 'read', 'file')] : [], writes: isWritten ? [effect] : [], opaque: unclear };
};
const history = tool('history', { operands: inOrder(['text']), options: [...flags('-c', '-a', '-n', '-r', '-w'), ...takes('text', '-d')], refine: historyFile });

export const codeTools: readonly ToolSpec[] = [trap, alias, unalias, hash, history];
