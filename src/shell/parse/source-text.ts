import type { Span } from '../types.ts';
import type { Coverage } from './coverage.ts';

/**
 * The text that the positions of some nodes index. A script in backticks with escapes has a decoded text of its own;
 * `stands` is then where that script is in the text that was given, and every span below it is that one.
 */
export interface SourceText {
  readonly text: string;
  readonly stands: Span | undefined;
  readonly coverage: Coverage;
}

export function spanIn(source: SourceText, node: { readonly pos: number; readonly end: number }): Span {
  // Of a text that ends too early the parser's positions may lie behind its end.
  const end = Math.min(node.end, source.text.length);
  return source.stands ?? { start: Math.min(node.pos, end), end };
}
