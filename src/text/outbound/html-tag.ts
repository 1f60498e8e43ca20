import { matchAt } from './destination.ts';
import { decodeReferences } from './entities.ts';

export interface HtmlTag {
  /** Lower case. */
  readonly name: string;
  readonly kind: 'open' | 'close';
  /** Names in lower case, the first of each; values decoded. */
  readonly attributes: ReadonlyMap<string, string>;
  /** Offset after `>`. */
  readonly end: number;
}

const opening = /<(?<close>\/?)(?<name>[A-Za-z][A-Za-z0-9:-]*)(?=[\s/>])/uy;
const attribute = /[\s/]*(?<name>[^\s/>=<"'`]+)(?:\s*=\s*(?:"(?<double>[^"]*)"|'(?<single>[^']*)'|(?<bare>[^\s>"'<=`]+)))?/uy;
const closing = /[\s/]*>/uy;

/** Reads the tag at `<`. Nothing where browsers and markdown could read it in two ways: it will be shown as text then. */
export function tagAt(text: string, at: number, limit: number): HtmlTag | undefined {
  const found = matchAt(opening, text, at)?.groups;
  if (found === undefined) return undefined;
  const attributes = new Map<string, string>();
  let position = opening.lastIndex;
  for (;;) {
    if (matchAt(closing, text, position) !== undefined) break;
    const next = matchAt(attribute, text, position);
    if (next === undefined || attribute.lastIndex > limit) return undefined;
    position = attribute.lastIndex;
    const { name = '', double, single, bare } = next.groups ?? {};
    if (!attributes.has(name.toLowerCase())) attributes.set(name.toLowerCase(), decodeReferences(double ?? single ?? bare ?? ''));
  }
  if (closing.lastIndex > limit || /\n[ \t\r>]*\n/u.test(text.slice(at, closing.lastIndex))) return undefined;
  return { name: (found['name'] ?? '').toLowerCase(), kind: found['close'] === '/' ? 'close' : 'open', attributes, end: closing.lastIndex };
}

/** The value of an attribute so that neither HTML nor markdown finds anything in it. */
export function quoted(value: string): string {
  return `"${value.toWellFormed().replaceAll('\0', '\ufffd').replaceAll(/[^\w .,;/?=%+#\u00a1-\u{10ffff}-]/gu, (character) => `&#${character.codePointAt(0) ?? 0};`)}"`;
}
