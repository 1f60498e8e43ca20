import { seeded, type Random } from './random.ts';

const pieces = [
  '`',
  '$(',
  ')',
  '"',
  "'",
  '\\',
  '\n',
  '{',
  '}',
  '${',
  ';',
  '&',
  '|',
  '<(',
  '((',
  '))',
  '$',
  '#',
  ' ',
  '~',
  '*',
  '=(',
  '\\\n',
  '[',
  ']',
  '!',
  ' \\',
  "$'",
  '<<',
];

/** The program with a few random insertions, deletions and exchanges: texts outside every grammar. */
export function mutate(program: string, seed: number): string {
  const random = seeded(seed ^ 0x5f_37_59);
  let text = program;
  for (let left = 1 + random.below(3); left > 0; left--) text = change(text, random);
  return text;
}

function change(text: string, random: Random): string {
  const at = random.below(text.length + 1);
  const to = Math.min(text.length, at + 1 + random.below(3));
  return random.pick([
    () => text.slice(0, at) + random.pick(pieces) + text.slice(at),
    () => text.slice(0, at) + random.pick(pieces) + text.slice(at),
    () => text.slice(0, at) + text.slice(to),
    () => text.slice(0, at) + text.slice(at, to) + text.slice(at),
  ])();
}
