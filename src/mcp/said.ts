import { canonicalJson } from '../approvals/queue/request-hash.ts';
import { definitionOf, type Definition } from '../trust/pins/pins.ts';
import { present } from '../text/index.ts';

/** Kinds of a server's lists that are pinned. Resources change all the time, and are not pinned. */
export type ListedKind = 'tool' | 'prompt' | 'template';
export type SaidKind = ListedKind | 'instructions' | 'server';

/** One statement that a server makes about itself. */
export interface Said {
  readonly kind: SaidKind;
  /** The server's name for the item, with which an agent requests it. */
  readonly id: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/**
 * The keys that are hashed. A client gets only these. Icons are left out because a client would fetch their addresses,
 * and `_meta` because it may contain anything.
 */
const keysOf = {
  tool: ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations'],
  prompt: ['name', 'title', 'description', 'arguments'],
  template: ['uriTemplate', 'name', 'title', 'description', 'mimeType', 'annotations'],
  instructions: ['name', 'description'],
  server: ['name', 'title', 'version', 'description', 'websiteUrl'],
} as const satisfies Readonly<Record<SaidKind, readonly string[]>>;

/** Names under which items are pinned. A tool cannot have the name of another kind. */
const pinnedAs = {
  tool: (id) => id,
  prompt: (id) => `(prompt) ${id}`,
  template: (id) => `(template) ${id}`,
  instructions: () => '(instructions)',
  server: () => '(server)',
} as const satisfies Readonly<Record<SaidKind, (id: string) => string>>;

/** Returns the part that is hashed and that a client gets. */
export function listedKeys({ kind, value }: Said): Readonly<Record<string, unknown>> {
  return Object.fromEntries(keysOf[kind].flatMap((key) => (value[key] === undefined ? [] : [[key, value[key]]])));
}

export function definitionOfSaid(said: Said): Definition {
  return definitionOf(pinnedAs[said.kind](said.id), canonicalJson(listedKeys(said)));
}

/** Returns the kind of a pinned name, or `list` for the record that a list was seen. */
export function kindOfPin(name: string): SaidKind | 'list' {
  if (!name.startsWith('(')) return 'tool';
  if (name.startsWith('(prompt) ')) return 'prompt';
  if (name.startsWith('(template) ')) return 'template';
  return name === '(instructions)' ? 'instructions' : name === '(server)' ? 'server' : 'list';
}

export function instructionsSaid(text: string): Said {
  return { kind: 'instructions', id: '', value: { name: '(instructions)', description: text } };
}

/** Version numbers, which change with each release. Any other version counts as text, like the name. */
const plainVersion = /^v?\d{1,10}(?:\.\d{1,10}){0,3}(?:[-.]?(?:alpha|beta|dev|rc)[.-]?\d{0,10})?$/u;

/** Returns the name, title and address of a server. Its version counts only if it is more than a number. */
export function serverSaid(info: unknown): Said {
  const { version, ...value } = textsOf(info);
  return {
    kind: 'server',
    id: '',
    value: { ...value, ...(version === undefined || plainVersion.test(version) ? {} : { version }) },
  };
}

export function plainVersionOf(info: unknown): string | undefined {
  const { version } = textsOf(info);
  return version !== undefined && plainVersion.test(version) ? version : undefined;
}

function textsOf(info: unknown): Readonly<Record<string, string>> {
  if (typeof info !== 'object' || info === null) return {};
  return Object.fromEntries(
    Object.entries(info).filter((member): member is [string, string] => typeof member[1] === 'string'),
  );
}

const references: ReadonlySet<string> = new Set(['$ref', '$dynamicRef', '$recursiveRef']);

/**
 * Attack: a client that checks a tool's result against its schema fetches the schema's references, outside of every
 * box. Returns the first address outside the schema.
 */
export function foreignReference(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    const found =
      typeof item === 'string'
        ? references.has(key) && !item.startsWith('#')
          ? item
          : undefined
        : foreignReference(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Returns the text that a model would get, for a person. Of a change, each part that differs is shown before and after.
 * Hidden characters are made visible.
 */
export function definitionLines(kind: SaidKind, before: Definition | undefined, after: Definition): readonly string[] {
  const [was, is] = [partsOf(before), partsOf(after)];
  return keysOf[kind].flatMap((key) => {
    if (was[key] === is[key]) return [];
    if (before === undefined) return is[key] === undefined ? [] : [`${key}: ${is[key]}`];
    return [`${key} was: ${was[key] ?? 'absent'}`, `${key} is:  ${is[key] ?? 'absent'}`];
  });
}

function partsOf(definition: Definition | undefined): Readonly<Record<string, string | undefined>> {
  if (definition === undefined) return {};
  const value = JSON.parse(definition.text) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key,
      present('tool-description', typeof part === 'string' ? part : JSON.stringify(part, undefined, 2)).text,
    ]),
  );
}
