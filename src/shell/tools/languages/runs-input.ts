import { noSpan } from '../notation.ts';
import type { Refine } from '../types.ts';
import { wordAsTyped } from '../words.ts';

/**
 * An interpreter without a file runs its input, unless an option already says what to do. `-`, `/dev/stdin` and
 * descriptors also name the input. A `data:` URL as a module is code in the command line.
 */
export const runsInput =
  (...answers: readonly string[]): Refine =>
  (parsed) => {
    const first = parsed.operands[0];
    const inline = parsed.options.flatMap(({ spec, value }) =>
      spec.role === 'code-file' && value !== undefined && /^(?:data|https?|blob):/iu.test(wordAsTyped(value))
        ? [value]
        : [],
    );
    const opaque = inline.map((word) => ({
      kind: 'inline-code' as const,
      message: `\`${wordAsTyped(word)}\` is code, not a file of the project`,
      span: word.span,
    }));
    const isInput =
      first?.kind === 'static' && /^(?:-|\/dev\/(?:stdin|tty|fd\/\d+)|\/proc\/.*\/fd\/\d+)$/u.test(first.value);
    if (first !== undefined && !isInput) return { opaque };
    if (parsed.options.some(({ spec }) => spec.names.some((name) => answers.includes(name)))) return { opaque };
    return {
      opaque: [
        ...opaque,
        { kind: 'stdin-code', message: 'runs the code that arrives on its input', span: first?.span ?? noSpan },
      ],
      runs: [{ what: 'the input', kind: 'inline-code' }],
    };
  };

/** A family that takes commands from its input if no subcommand is named. */
export const runsInputWhenBare =
  (...answers: readonly string[]): Refine =>
  (parsed, context) =>
    parsed.operands.length > 0 ? {} : runsInput(...answers)(parsed, context);
