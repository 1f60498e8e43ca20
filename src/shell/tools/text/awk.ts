import { each, flags, inOrder, takes, tool } from '../notation.ts';
import type { Refine, ToolSpec } from '../types.ts';
import { shown, textOf } from '../words.ts';
import { whyNotTrivial } from './awk-program.ts';

const refineAwk: Refine = ({ options, operands }) => {
  const program = operands[0];
  if (program === undefined || options.some(({ spec }) => spec.names.includes('-f'))) return {};
  const text = textOf(program);
  if (text === undefined) return { opaque: [{ kind: 'inline-code', message: `the program \`${shown(program)}\` of \`awk\` is not known`, span: program.span }] };
  const why = whyNotTrivial(text);
  return why === undefined ? {} : { opaque: [{ kind: 'inline-code', message: `the program of \`awk\` has ${why}`, span: program.span }] };
};

/** Only what every awk has; the long options of one are unknown to the others. */
export const awk: ToolSpec = tool('awk gawk mawk nawk original-awk', {
  grammar: 'getopt-posix',
  operands: inOrder(['text'], 'read'),
  options: [...takes('text', '-F', '-v'), { names: ['-f'], value: 'required', role: 'code-file', operands: each('read') }, ...flags('--version')],
  refine: refineAwk,
});
