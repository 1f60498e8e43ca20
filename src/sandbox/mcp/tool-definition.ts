import { canonicalJson } from '../../approvals/queue/canonical-json.ts';
import { definitionOf, type Definition } from '../../trust/index.ts';
import { present } from '../../text/index.ts';

/** A tool as a server lists it, with nothing in it that a client does not need to call it. */
export interface ToolListing {
  readonly name: string;
  readonly [key: string]: unknown;
}

/** Icons are addresses that a client would fetch, and `_meta` may hold anything. */
const keys = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const;

/** What is hashed, and all that a client gets. */
export function listedKeys(tool: ToolListing): ToolListing {
  return Object.fromEntries(keys.flatMap((key) => (tool[key] === undefined ? [] : [[key, tool[key]]]))) as unknown as ToolListing;
}

export function toolDefinition(tool: ToolListing): Definition {
  return definitionOf(tool.name, canonicalJson(listedKeys(tool)));
}

const references: ReadonlySet<string> = new Set(['$ref', '$dynamicRef', '$recursiveRef']);

/** Attack: a client that checks what a tool gives against its schema fetches what that refers to, outside of every box. Gives the first address that is not in the schema itself. */
export function foreignReference(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    const found = typeof item === 'string' ? (references.has(key) && !item.startsWith('#') ? item : undefined) : foreignReference(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What the model would read, for a person: of a changed tool each part that is another one, before and after. What does not show is written out. */
export function definitionLines(before: Definition | undefined, after: Definition): readonly string[] {
  const [was, is] = [partsOf(before), partsOf(after)];
  return keys.flatMap((key) => {
    if (was[key] === is[key]) return [];
    if (before === undefined) return is[key] === undefined ? [] : [`${key}: ${is[key]}`];
    return [`${key} was: ${was[key] ?? 'absent'}`, `${key} is:  ${is[key] ?? 'absent'}`];
  });
}

function partsOf(definition: Definition | undefined): Readonly<Record<string, string | undefined>> {
  if (definition === undefined) return {};
  const tool = JSON.parse(definition.text) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(Object.entries(tool).map(([key, value]) => [key, present('tool-description', typeof value === 'string' ? value : JSON.stringify(value, undefined, 2)).text]));
}
