import type { Word } from 'unbash';
import { payloads } from './hazards.ts';
import { opaque, type Of, type Reason } from './places.ts';
import type { Place, Walk } from './walk.ts';
import { readWord } from './word.ts';

export function calculate(node: Of<'ArithmeticCommand' | 'ArithmeticExpansion'>, place: Place, walk: Walk): void {
  walk.findings.calculates = true;
  place.source.coverage.openings.add(node.pos);
  if (node.type === 'ArithmeticExpansion' && node.text.startsWith('$((') && !isBalanced(node.text.slice(3, -2))) {
    opaque(walk, { kind: 'uncovered', message: `\`${node.text.slice(0, 40)}\` may be commands instead of arithmetic` }, [node, place]);
  }
  walk.enterChildren(node, { ...place, quotes: 'characters' });
}

export function visitArithmeticWord(node: Of<'ArithmeticWord'>, place: Place, walk: Walk): void {
  const text = place.source.text.slice(node.pos, node.end);
  if (node.parts === undefined && /'[^]*[$`]/u.test(text)) opaque(walk, expandedAnyway(text), [node, place]);
  walk.enterChildren(node, { ...place, quotes: 'characters' });
}

export function visitQuoted(node: Of<'SingleQuoted' | 'AnsiCQuoted'>, place: Place, walk: Walk): void {
  if (place.quotes === 'characters' && /[$`]/u.test(node.text.slice(1))) opaque(walk, expandedAnyway(node.text), [node, place]);
}

function expandedAnyway(text: string): Reason {
  return { kind: 'uncovered', message: `\`${text}\` is expanded in arithmetic` };
}

/** Bash takes `$((…))` for a subshell in a substitution where parentheses and quotes in it do not match, comments and here-documents counted in. */
function isBalanced(expression: string): boolean {
  let open = 0;
  let quote = '';
  for (let at = 0; at < expression.length; at++) {
    const char = expression.charAt(at);
    // Within single quotes a backslash keeps nothing from ending them.
    if (char === '\\' && quote !== "'") at += 1;
    else if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === '(') open += 1;
    else if (char === ')') open -= 1;
    else if (char === "'" || char === '"') quote = char;
    if (open < 0) return false;
  }
  return open === 0 && quote === '';
}

/** Words that a test takes for arithmetic, or for the name of a variable, even in quotes. */
export function visitNumbers(words: readonly Word[], { source }: Place, { findings }: Walk): void {
  findings.calculates = true;
  findings.payloads.push(...payloads(words.map((word) => readWord(word, source))));
}
