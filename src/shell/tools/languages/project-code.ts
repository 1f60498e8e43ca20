import { repositoryCode } from '../notation.ts';
import type { Opacity } from '../../types.ts';
import type { ParsedArguments } from '../types.ts';
import { wordAsTyped } from '../words.ts';

/** `@FILE` takes further arguments from a file, including options that name programs. */
export const argumentFiles = (parsed: ParsedArguments): readonly Opacity[] =>
  parsed.operands
    .filter((word) => wordAsTyped(word).startsWith('@'))
    .map((word) => ({
      kind: 'inline-code',
      message: `\`${wordAsTyped(word)}\` takes options from a file`,
      span: word.span,
    }));

export const projectCode = repositoryCode('code of the project');

export const builders = repositoryCode('plugins, scripts and tests of the project');
