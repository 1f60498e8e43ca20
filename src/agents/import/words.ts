import type { Item, NotCarried, ReadingPart } from './types.ts';

/** Decision of a source about commands. */
export type ImportedDecision = 'allow' | 'ask' | 'deny';

/** First words of the source's commands. `rest`: whether more words, or other text, may follow. */
export interface CommandPrefix {
  readonly words: readonly string[];
  /**
   * `exact`: the pattern covers all commands that begin with the words, or fewer. `open`: the words are only its
   * beginning.
   */
  readonly form: 'exact' | 'open';
}

/** A word that stands for itself in our patterns and in every shell. A final `*` matches any ending. */
const plainWord = /^[\w@%+=:,./^-]+\*?$/u;

/**
 * The start of a command text that a pattern can express: the words before the first quote, variable or wildcard.
 * Variables set in front of a program do not count as words, because the program is held with and without them.
 */
export function prefixOf(text: string): CommandPrefix {
  const all = text
    .trim()
    .split(/\s+/u)
    .filter((word) => word !== '');
  const start = all.findIndex((word) => !/^\w+\+?=/u.test(word));
  const words = start < 0 ? [] : all.slice(start);
  const end = words.findIndex(
    (word, index) => !plainWord.test(word) || word === '--' || (word.endsWith('*') && index < words.length - 1),
  );
  if (end >= 0) return { words: words.slice(0, end), form: 'open' };
  return { words, form: words.length === all.length ? 'exact' : 'open' };
}

/**
 * Returns the literal start of a regular expression. It is open, because its last word may go on. It ends before an
 * optional, repeated or alternative part.
 */
export function literalBeginning(expression: string): CommandPrefix {
  const literal = /^\^?(?<text>(?:[\w@%=:,/ -]|\\[./+ -])*)/u.exec(expression)?.groups?.['text'] ?? '';
  const rest = expression.slice(expression.indexOf(literal) + literal.length);
  if (/\|/u.test(rest)) return { words: [], form: 'open' };
  const sure = /^[*?{]/u.test(rest) ? literal.slice(0, -1) : literal;
  const whole = rest === '' ? sure.replace(/(?<=[^ ])$/u, '*') : sure.slice(0, Math.max(0, sure.lastIndexOf(' ')));
  return { words: prefixOf(whole.replaceAll('\\', '')).words, form: 'open' };
}

/**
 * Returns the parts of one decision about commands. A refusal without an exact pattern becomes a question about all
 * that it could cover. Permissions are written only for whole programs: everything else may run in the box anyway.
 */
export function commandParts(wish: ImportedDecision, prefix: CommandPrefix, from: string): readonly ReadingPart[] {
  const text = prefix.words.join(' ');
  switch (wish) {
    case 'allow':
      return [allowed(prefix, text, from)];
    case 'ask':
      return [
        { place: 'commands.ask', text: text === '' ? '*' : text, from },
        ...(prefix.form === 'open' ? [widened(text, 'asked about', from)] : []),
      ];
    case 'deny':
      if (prefix.form === 'exact' && text !== '') return [{ place: 'commands.deny', text, from }];
      return [
        { place: 'commands.ask', text: text === '' ? '*' : text, from },
        widened(text, 'asked about, and not refused', from),
      ];
  }
}

function allowed({ words, form }: CommandPrefix, text: string, from: string): Item | NotCarried {
  const [program = '', ...others] = words;
  if (form === 'exact' && others.length === 0 && /^[\w.+-]+$/u.test(program))
    return { place: 'rule.allow-programs', text: program, from };
  return {
    at: from,
    why: `${text === '' ? 'such commands' : JSON.stringify(text)} may run in the box unless another part of the policy forbids it, and needs no line`,
    effect: 'stricter',
  };
}

function widened(text: string, fate: string, from: string): NotCarried {
  return {
    at: from,
    why: `it has no exact equivalent: ${text === '' ? 'every command' : `everything that begins with ${JSON.stringify(text)}`} is ${fate}`,
    effect: 'stricter',
  };
}

/** Drops permissions that a question or a refusal covers too: rules come before lists, and would win. */
export function withoutContested(parts: readonly ReadingPart[]): readonly ReadingPart[] {
  const held = parts.flatMap((part) =>
    'place' in part && (part.place === 'commands.ask' || part.place === 'commands.deny')
      ? [part.text.split(' ')[0] ?? '']
      : [],
  );
  return parts.map((part): ReadingPart => {
    if (
      !('place' in part) ||
      part.place !== 'rule.allow-programs' ||
      !held.some((program) => program.includes('*') || baseName(program) === part.text)
    )
      return part;
    return {
      at: part.from,
      why: `another rule restricts commands of ${JSON.stringify(part.text)}, and no permission may bypass it`,
      effect: 'stricter',
    };
  });
}

function baseName(program: string): string {
  return program.slice(program.lastIndexOf('/') + 1);
}
