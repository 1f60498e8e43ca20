import { type Document, isAlias, isMap, isScalar, isSeq, type Node, parseAllDocuments } from 'yaml';
import { deepest, type MapEntry, Malformed, map, emptyMap, type ParsedValue, scalar, type Value } from './value.ts';

/** Values that aliases and merges may produce in one file: a few hundred bytes of YAML can produce billions. */
const mostValues = 20_000;
/** Line breaks of YAML 1.1, and the lone carriage return. A comment for one reader is a key for another. */
const otherBreaks = /\r(?!\n)|[\u{85}\u{2028}\u{2029}]/u;
/** Each alias is searched for from the beginning. */
const mostAliases = 100;

/** Parses all documents of YAML 1.2, without custom tags. Follows aliases up to a limit. Never throws. */
export function parseYaml(text: string): ParsedValue {
  if (tooDeep(text)) return { value: emptyMap, problem: `it is nested more than ${deepest} deep` };
  try {
    const documents = parseAllDocuments(text, {
      schema: 'core',
      uniqueKeys: false,
      merge: true,
      strict: true,
      logLevel: 'silent',
      prettyErrors: false,
      keepSourceTokens: false,
    });
    const reader = new Reader();
    const values = [...documents].map((document) => reader.read(document));
    const problem =
      problemOf([...documents]) ??
      reader.problem ??
      (otherBreaks.test(text) ? 'it has line breaks that not every reader recognises' : undefined);
    const value = values.length === 1 ? (values[0] ?? emptyMap) : ({ kind: 'list', items: values } as const);
    return problem === undefined ? { value } : { value, problem };
  } catch (error) {
    if (error instanceof Malformed) return { value: emptyMap, problem: error.message };
    if (error instanceof RangeError) return { value: emptyMap, problem: 'it is nested too deep' };
    return { value: emptyMap, problem: 'it is not YAML' };
  }
}

/** The library composes recursively, so depth is checked first: by brackets, and by the openings of a line. */
function tooDeep(text: string): boolean {
  let open = 0;
  for (const [found] of text.matchAll(/[[{\]}]|^[ \t]*(?:[-?:][ \t]+){100}/gmu)) {
    if (found.length > 1) return true;
    open += found === '[' || found === '{' ? 1 : -1;
    if (open > 10 * deepest) return true;
  }
  return /^ {2000}/mu.test(text);
}

function problemOf(documents: readonly Document[]): string | undefined {
  const first = documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])[0];
  if (first === undefined) return undefined;
  return `it is not plain YAML from character ${first.pos[0] + 1} on`;
}

class Reader {
  problem: string | undefined;
  #document: Document | undefined;
  #values = 0;
  #aliases = 0;

  read(document: Document): Value {
    this.#document = document;
    return this.#value(document.contents, 0);
  }

  #value(node: unknown, depth: number): Value {
    this.#values++;
    if (this.#values > mostValues) throw new Malformed(`its aliases make more than ${mostValues} values`);
    if (depth > deepest) throw new Malformed(`it is nested more than ${deepest} deep, or names itself`);
    const found = this.#followed(node);
    if (isMap(found)) return this.#map(found.items, depth);
    if (isSeq(found)) return { kind: 'list', items: found.items.map((item) => this.#value(item, depth + 1)) };
    this.#tag(found);
    return scalar(isScalar(found) ? (found.source ?? String(found.value)) : '');
  }

  #followed(node: unknown): unknown {
    if (!isAlias(node) || this.#document === undefined) return node;
    this.#aliases++;
    if (this.#aliases > mostAliases) throw new Malformed(`it has more than ${mostAliases} aliases`);
    const found = node.resolve(this.#document);
    if (found === undefined) this.problem = 'an alias names nothing';
    return found;
  }

  #map(pairs: readonly { readonly key: unknown; readonly value: unknown }[], depth: number): Value {
    const own = pairs.map(({ key }) => (isScalar(key) ? String(key.source ?? key.value) : key));
    if (new Set(own).size < own.length) this.problem = 'a key appears twice, and readers take different ones';
    return map(pairs.flatMap(({ key, value }) => this.#entry(key, value, depth)));
  }

  /** `<<` merges the keys of another map. */
  #entry(key: unknown, value: unknown, depth: number): readonly MapEntry[] {
    const name = this.#value(key, depth + 1);
    const inner = this.#value(value, depth + 1);
    if (name.kind !== 'scalar') {
      this.problem = 'a key is not text';
      return [['', inner]];
    }
    if (name.text !== '<<') return [[name.text, inner]];
    const merged = inner.kind === 'list' ? inner.items : [inner];
    return merged.flatMap((item) => (item.kind === 'map' ? item.entries : []));
  }

  #tag(node: unknown): void {
    const { tag } = (node ?? {}) as Partial<Node>;
    if (tag !== undefined && !tag.startsWith('tag:yaml.org,2002:'))
      this.problem = 'a tag has a meaning that is not known here';
  }
}
