import { deepest, type MapEntry, Malformed, map, emptyMap, type ParsedValue, scalar, type Value } from './value.ts';

/**
 * Parses XML without a document type: nothing is expanded, fetched or defined. An element is a map of its attributes,
 * its elements and its `text`, below its name. If it has an attribute `name`, it is below that value too: `<option
 * name="PATH_TO_GIT" value="x"/>` gives `option.PATH_TO_GIT.value`. Linear time, never throws.
 */
export function parseXml(text: string): ParsedValue {
  try {
    const encoding =
      /^\s*<\?xml[^>]*?\sencoding\s*=\s*["'](?<name>[^"']*)["']/u.exec(text)?.groups?.['name'] ?? 'UTF-8';
    const value = read(text);
    return /^(?:utf-?8|us-ascii)$/iu.test(encoding) ? { value } : { value, problem: 'it declares another encoding' };
  } catch (error) {
    if (error instanceof Malformed) return { value: emptyMap, problem: error.message };
    throw error;
  }
}

const token =
  /<!--[^]*?-->|<\?[^]*?\?>|<!\[CDATA\[(?<data>[^]*?)\]\]>|<\/(?<close>[^\s<>/]+)\s*>|<(?<open>[^\s<>/!?="']+)(?<attributes>(?:\s+[^\s<>/="']+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(?<empty>\/)?>|(?<text>[^<]+)/uy;
const attributePattern = /(?<name>[^\s=]+)\s*=\s*(?:"(?<double>[^"]*)"|'(?<single>[^']*)')/gu;
const references: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
]);

interface Open {
  readonly tag: string;
  readonly names: readonly string[];
  readonly entries: MapEntry[];
  text: string[];
}

function read(text: string): Value {
  const root: Open = { tag: '', names: [], entries: [], text: [] };
  const stack: Open[] = [root];
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const at = token.lastIndex;
    const groups = token.exec(text)?.groups;
    if (groups === undefined)
      throw new Malformed(
        /^<!(?:doctype|entity)/iu.test(text.slice(at, at + 9))
          ? 'it has a document type, which may define its content'
          : `it is not XML from character ${at + 1} on`,
      );
    step(stack, groups);
    if (stack.length > deepest) throw new Malformed(`it is nested more than ${deepest} deep`);
  }
  if (stack.length !== 1) throw new Malformed('an element does not end');
  return map(root.entries);
}

function step(
  stack: Open[],
  { open, attributes = '', empty, close, text, data }: Readonly<Record<string, string | undefined>>,
): void {
  const current = stack.at(-1);
  if (open !== undefined) stack.push(opened(open, attributes));
  else if (text !== undefined) current?.text.push(resolved(text));
  else if (data !== undefined) current?.text.push(data);
  if (close !== undefined || empty !== undefined) closeElement(stack, close);
}

function opened(tag: string, attributes: string): Open {
  const entries = [...attributes.matchAll(attributePattern)].map(
    ({ groups = {} }): MapEntry => [groups['name'] ?? '', scalar(resolved(groups['double'] ?? groups['single'] ?? ''))],
  );
  const name = entries.find(([key]) => key === 'name')?.[1];
  return { tag, names: name?.kind === 'scalar' ? [tag, name.text] : [tag], entries, text: [] };
}

function closeElement(stack: Open[], close: string | undefined): void {
  const element = stack.pop();
  const parent = stack.at(-1);
  if (element === undefined || parent === undefined || (close !== undefined && close !== element.tag))
    throw new Malformed('an element ends without a beginning');
  const text = element.text.join('').trim();
  if (text !== '') element.entries.push(['text', scalar(text)]);
  parent.entries.push(below(element.names, map(element.entries)));
}

function below([name = '', ...rest]: readonly string[], value: Value): MapEntry {
  return [name, rest.length === 0 ? value : map([below(rest, value)])];
}

/** Resolves the five predefined entities, and numeric ones. Others would need a definition, which is not allowed. */
function resolved(text: string): string {
  return text.replaceAll(/&(?<name>#?\w{1,10};)?/gu, (_, name?: string) => {
    const meant = name === undefined ? undefined : characterOf(name.slice(0, -1));
    if (meant === undefined) throw new Malformed('it names a character that is not defined');
    return meant;
  });
}

function characterOf(name: string): string | undefined {
  const { hex, decimal } = /^#(?:x(?<hex>[\da-f]{1,6})|(?<decimal>\d{1,7}))$/iu.exec(name)?.groups ?? {};
  if (hex === undefined && decimal === undefined) return references.get(name);
  const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  return point <= 0x10ffff ? String.fromCodePoint(point) : undefined;
}
