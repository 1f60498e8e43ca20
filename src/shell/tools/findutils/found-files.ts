import type { Word } from '../../types.ts';
import { plainText, wordAsTyped } from '../words.ts';

export interface FoundFilesSpec {
  /** Placeholders for a file. As a whole word it is a path. Within a word it may be anything, including code. */
  readonly placeholders: RegExp;
  /** Every found file is one of them or below. */
  readonly starts: readonly Word[];
}

/** Returns the command with the files that a search will find in place of `{}`: one pattern for each start. */
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

/** A thousand starts for each of a thousand `{}` would be a million words. */
const mostStarts = 32;

/** Found names begin with the start of the search, so none of them looks like an option unless the start does. */
function foundBelow(start: Word, placeholder: Word): Word {
  const { span } = placeholder;
  if (start.kind === 'dynamic') return { kind: 'dynamic', text: start.text, because: start.because, span };
  if (start.kind === 'glob') return { kind: 'glob', text: start.text, prefix: start.prefix, span };
  const prefix = `${wordAsTyped(start).replace(/(?<!\/)\/+$/u, '')}/`;
  return { kind: 'glob', text: `${prefix}*`, prefix, span };
}

/** `-o`, `!` and the like: then not every file that is found has that name. */
const alternatives = /^(?:[()!,]|-o|-or|-not|-a|-and)$/u;

/** Returns the pattern of the `-name` at this place, if the expression has no alternatives. */
export function nameOfAll(words: readonly Word[], at: number): string | undefined {
  const pattern = plainText(words[at + 1]);
  const isName = /^-i?name$/u.test(plainText(words[at]) ?? '') && pattern?.includes('/') === false;
  return isName && !words.some((word) => alternatives.test(plainText(word) ?? '')) ? pattern : undefined;
}

/** The starts of the search, with the name that each found file has. */
export function startsNamed({
  name,
  starts,
}: {
  readonly name: string | undefined;
  readonly starts: readonly Word[];
}): readonly Word[] {
  if (name === undefined) return starts;
  return starts.map((start) => {
    if (start.kind !== 'static' || start.lead !== undefined) return start;
    const prefix = `${start.value.replace(/(?<!\/)\/+$/u, '')}/`;
    return { kind: 'glob', text: `${prefix}*/${name}`, prefix, span: start.span };
  });
}

/** A pattern of names, none of which is a part of an expression: `Docker*`. With several, find stops. */
export function isNoExpression(word: Word): boolean {
  return word.kind === 'glob' && /^[\w.]/u.test(word.prefix);
}
