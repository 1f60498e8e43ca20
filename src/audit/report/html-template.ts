import { escapeHidden } from '../../text/escape-hidden.ts';

/** Text that is HTML already, because this file made it. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Hole = string | number | Html | readonly Html[];

/**
 * A piece of HTML. What stands in a hole is text, in content as in a quoted attribute: what does not show is written out, and no
 * character of it means anything to a parser. `Html` is passed on as it is.
 */
export function html(pieces: TemplateStringsArray, ...holes: readonly Hole[]): Html {
  return new Html(pieces.map((piece, index) => piece + (index < holes.length ? htmlText(holes[index] as Hole) : '')).join(''));
}

function htmlText(hole: Hole): string {
  if (hole instanceof Html) return hole.text;
  if (typeof hole === 'object') return hole.map(({ text }) => text).join('');
  return escapeHidden(String(hole)).replaceAll(/[&<>"'`]/gu, (character) => `&#${character.charCodeAt(0)};`);
}
