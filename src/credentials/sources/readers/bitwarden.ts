import { askProgram } from '../ask-program.ts';
import { patience } from '../patience.ts';
import type { Answer, Failure, ReadSource } from '../types.ts';

/**
 * Bitwarden CLI: `bw get item ITEM` answers with the item as JSON. A field is one of its login (`password`, `username`), its
 * `notes`, or one that the user has added. Source: bitwarden.com/help/cli, `bw get template item`.
 */
export const readBitwarden: ReadSource<'bitwarden'> = async ({ item, field }, _credential, context) => {
  const said = await askProgram({ program: 'bw', words: ['--nointeraction', 'get', 'item', '--', item], timeout: patience, remedy: 'unlock it with `bw unlock`, set BW_SESSION, and try `bw get item` with this item' }, context);
  return said.kind === 'output' ? fieldOf(said.text, field) : said;
};

interface Item {
  readonly login?: Readonly<Record<string, unknown>> | null;
  readonly notes?: unknown;
  readonly fields?: readonly { readonly name?: unknown; readonly value?: unknown }[] | null;
}

function fieldOf(text: string, field: string): Answer | Failure {
  const item = parsed(text);
  if (item === undefined) return { kind: 'unavailable', why: 'bw answered with something else than an item', remedy: 'update the Bitwarden command line' };
  const [value, ...others] = valuesOf(item, field);
  if (others.length > 0) return { kind: 'unavailable', why: `the item has several fields named ${field}`, remedy: 'give one of them another name' };
  if (typeof value !== 'string' || value === '') return { kind: 'missing', why: `the item has no field named ${field}`, remedy: 'name `password`, `username`, `notes`, or a field of your own' };
  return { kind: 'answer', value, fields: {} };
}

function valuesOf({ login, notes, fields }: Item, field: string): readonly unknown[] {
  const own = Array.isArray(fields) ? fields.flatMap((each: unknown) => (isRecord(each) && each['name'] === field ? [each['value']] : [])) : [];
  if (field === 'notes') return [notes, ...own].filter(isPresent);
  return [...(loginFields.has(field) && isRecord(login) ? [login[field]] : []), ...own].filter(isPresent);
}

const loginFields: ReadonlySet<string> = new Set(['password', 'username']);

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function parsed(text: string): Item | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
