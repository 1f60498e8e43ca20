import { createJsonEditor, editJson } from '../../src/dlp/json/edit-json.ts';
import { insertJson } from '../../src/dlp/json/insert-json.ts';
import { peekJson } from '../../src/dlp/json/peek-json.ts';
import type { FieldPattern } from '../../src/dlp/types.ts';
import { isMatch, isUtf8, parsed, valuesOf } from '../../src/dlp/json/testing/reference.ts';
import { dialects } from '../../src/llm/index.ts';
import { type Random, seeded } from '../differential/random.ts';
import { exchanges } from '../fixtures/llm/index.ts';
import { slowlyWithoutMarker } from './marked-json.ts';
import { damaged, marker, mutated, replacements } from './mutate.ts';
import type { Target } from './types.ts';

const fieldsOfDialects = Object.values(dialects).map(({ requestText }) => requestText);

/** Compares edits, insertions and look-ups in requests and answers with `JSON.parse`. */
export const documents: Target = {
  name: 'documents of JSON',
  generate(random) {
    const exchange = random.pick(exchanges);
    const value = damaged(structuredClone(random.chance(0.7) ? exchange.request : exchange.answer), random);
    const text = JSON.stringify(value, undefined, random.pick([0, 0, 1, '\t'])) ?? 'null';
    return mutated(Buffer.from(random.chance(0.3) ? text.replaceAll('":"', `":"${marker} `) : text), random);
  },
  problemOf(bytes, seed) {
    const random = seeded(seed);
    return (
      editProblem(bytes, random.pick(replacements)) ??
      fieldsProblem(bytes, random.pick(fieldsOfDialects)) ??
      insertProblem(bytes, random)
    );
  },
  goOver: (bytes) => void editJson(bytes, { fields: ['**'], edit: () => 'x' }),
};

function editProblem(bytes: Buffer, replacement: string): string | undefined {
  const unchanged = editJson(bytes, { fields: ['**'], edit: (text) => text });
  const isRead = isUtf8(bytes) && parsed(bytes) !== undefined;
  if (isRead !== (unchanged.kind === 'json')) return `is ${isRead ? '' : 'no '}JSON to others`;
  if (unchanged.kind === 'unreadable')
    return unchanged.why === 'not-utf8' && isUtf8(bytes) ? 'is UTF-8 to others' : undefined;
  if (unchanged.bytes !== bytes) return 'changed unasked';
  const edited = editJson(bytes, {
    fields: ['**'],
    edit: (text) => (text.includes(marker) ? text.replaceAll(marker, () => replacement) : undefined),
  });
  const wanted = slowlyWithoutMarker(bytes.toString(), replacement);
  return edited.kind === 'json' && edited.bytes.equals(Buffer.from(wanted))
    ? undefined
    : `not as it should be, with ${JSON.stringify(replacement)}`;
}

/** The reported leaves. For a repeated key, `JSON.parse` knows one value, so the editor may report more. */
function fieldsProblem(bytes: Buffer, fields: readonly FieldPattern[]): string | undefined {
  const document = parsed(bytes);
  if (document === undefined) return undefined;
  const told = new Set<string>();
  createJsonEditor({ fields }).edit(bytes, (text, path) => void told.add(JSON.stringify([path, text])));
  const values = [...valuesOf(document.value)].filter(
    ({ value, path }) => typeof value === 'string' && path.length < 60,
  );
  const missing = values.find(
    ({ path, value }) => fields.some((field) => isMatch(field, path)) && !told.has(JSON.stringify([path, value])),
  );
  return missing === undefined ? undefined : `not told of ${JSON.stringify(missing.path)}`;
}

function insertProblem(bytes: Buffer, random: Random): string | undefined {
  const document = parsed(bytes);
  if (document === undefined)
    return insertJson(bytes, { path: [], value: 1 }) === undefined ? undefined : 'put into what is not JSON';
  const values = [...valuesOf(document.value)].filter(({ path }) => path.length < 60);
  const { path, value } = random.pick(values);
  const peeked = peekJson(bytes, [path])[0];
  if (!Object.is(peeked, typeof value === 'object' && value !== null ? undefined : value))
    return `looked up something else at ${JSON.stringify(path)}`;
  const put = insertJson(bytes, { path, value: [marker], ...(Array.isArray(value) ? {} : { key: 'put in' }) });
  if (put === undefined) return undefined;
  const after = parsed(put);
  if (after === undefined) return 'what was put in broke it';
  const wanted = withMore(value);
  const [found] = [...valuesOf(after.value)].filter((each) => JSON.stringify(each.path) === JSON.stringify(path));
  return JSON.stringify(found?.value) === JSON.stringify(wanted)
    ? undefined
    : `put somewhere else than ${JSON.stringify(path)}`;
}

function withMore(value: unknown): unknown {
  if (Array.isArray(value)) return [...(value as readonly unknown[]), [marker]];
  return { ...(value as object), 'put in': [marker] };
}
