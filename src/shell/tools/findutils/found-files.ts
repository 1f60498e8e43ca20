import type { Word } from '../../types.ts';
import { wordAsTyped } from '../words.ts';

export interface FoundFilesSpec {
  /** What stands for a file. As a whole word it is a path; within a word it may be anything, code included. */
  readonly placeholders: RegExp;
  /** Every file that is found is one of them or below. */
  readonly starts: readonly Word[];
}

/** The command with the files that a search will find in place of `{}`: one pattern for each place where it starts. */
export function withFoundFiles(command: readonly Word[], { placeholders, starts }: FoundFilesSpec): readonly Word[] {
  return command.flatMap((word): readonly Word[] => {
    if (word.kind === 'dynamic') return [word];
    const text = wordAsTyped(word);
    const match = placeholders.exec(text);
    if (match === null) return [word];
    if (match[0] !== text) return [{ kind: 'dynamic', text, because: 'unreadable', span: word.span }];
    return starts.length > mostStarts
      ? [{ kind: 'dynamic', text, because: 'unreadable', span: word.span }]
      : starts.map((start) => foundBelow(start, word));
  });
}

/** A thousand places for each of a thousand `{}` would be a million words. */
const mostStarts = 32;

/**
 * Names that are found begin with the place where the search starts, so none of them looks like an option unless that
 * does.
 */
function foundBelow(start: Word, placeholder: Word): Word {
  const { span } = placeholder;
  if (start.kind === 'dynamic') return { kind: 'dynamic', text: start.text, because: start.because, span };
  if (start.kind === 'glob') return { kind: 'glob', text: start.text, prefix: start.prefix, span };
  const prefix = `${wordAsTyped(start).replace(/\/+$/u, '')}/`;
  return { kind: 'glob', text: `${prefix}*`, prefix, span };
}
