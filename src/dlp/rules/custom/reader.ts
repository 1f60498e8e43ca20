import { Refusal } from './node.ts';

/** What of a pattern is read so far. */
export interface Reader {
  /** The next character; empty at the end. */
  peek(): string;
  next(): string;
  /** Takes a text if it stands next. */
  take(text: string): boolean;
  /** Takes what a sticky form finds. */
  match(form: RegExp): string | undefined;
}

export function createReader(source: string): Reader {
  let at = 0;
  const take = (text: string): boolean => {
    const stands = source.startsWith(text, at);
    at += stands ? text.length : 0;
    return stands;
  };
  return {
    peek: () => source[at] ?? '',
    next() {
      const character = source[at];
      if (character === undefined) throw new Refusal('it ends too early');
      at += 1;
      return character;
    },
    take,
    match(form) {
      form.lastIndex = at;
      const found = form.exec(source)?.[0];
      at += found?.length ?? 0;
      return found;
    },
  };
}
