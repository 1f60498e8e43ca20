import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { eventSchemas as published } from '../../../scripts/json-schemas/audit.ts';
import { bySection } from '../../cli/table.ts';
import { policySchemaOf } from '../document/schema.ts';
import { event, textPart } from './event-parts.ts';
import type { Feature } from './feature.ts';
import { features } from './index.ts';
import {
  commandRows,
  escapeProofs,
  mergedEventSchemas,
  type EventSchemas,
  limitRows,
  patternLanguages,
  policyEntries,
  settingPlaces,
} from './merge.ts';

const all: readonly Feature[] = features;
const keysOf = (part: object = {}): readonly string[] => Object.keys(part);
const twice = (names: readonly string[]): readonly string[] =>
  names.filter((name, index) => names.indexOf(name) !== index);

describe('the features', () => {
  test.each([
    ['a name', all.map(({ name }) => name)],
    ['a key of the policy', ['version', 'limits', ...all.flatMap(({ policy }) => keysOf(policy))]],
    ['a limit', all.flatMap(({ limits }) => keysOf(limits))],
    ['a place of patterns', all.flatMap(({ patterns }) => keysOf(patterns))],
    ['a type of event', mergedEventSchemas(features).map(({ entries }) => entries.type.literal)],
    ['a command', commandRows(features).map(({ name }) => name)],
    ['a proof', escapeProofs(features).map(({ title }) => title)],
  ])('no two have %s in common', (_what, names) => {
    expect(names).not.toEqual([]);
    expect(twice(names)).toEqual([]);
  });

  test('are called as their files are, and every file is in the list', async () => {
    const files = readdirSync(import.meta.dirname).filter((file) => !file.endsWith('.test.ts') && file !== 'index.ts');
    const modules = await Promise.all(
      files.map(
        async (file) =>
          [file, Object.values((await import(/* @vite-ignore */ join(import.meta.dirname, file))) as object)] as const,
      ),
    );
    const own = modules.flatMap(([file, values]) =>
      values
        .filter((value): value is Feature => all.includes(value as Feature))
        .map(({ name }) => [file, `${name}.ts`] as const),
    );
    expect(own.map(([file]) => file)).toEqual(own.map(([, file]) => file));
    expect(own).toHaveLength(all.length);
    const left = files.filter((file) => !own.some(([each]) => each === file));
    expect(
      left.filter((file) =>
        readFileSync(join(import.meta.dirname, file), 'utf8').includes('as const satisfies Feature;'),
      ),
    ).toEqual([]);
  });

  test.each(commandRows(features))('$name has its module', ({ module }) => {
    expect(existsSync(join(import.meta.dirname, '../../cli', module))).toBe(true);
  });

  test('have patterns and settings at places that the policy has', () => {
    const schema: unknown = policySchemaOf(policyEntries(features));
    const places = [...keysOf(patternLanguages(features)), ...Object.values(settingPlaces(features))];
    expect(places.filter((place) => entryAt(schema, place.split('.')) === undefined)).toEqual([]);
  });

  test('make the published events', () => {
    expect(published).toEqual(mergedEventSchemas(features));
  });
});

/** The schema below a path of keys, without its wrappers. */
function entryAt(schema: unknown, [key, ...rest]: readonly string[]): unknown {
  const shape = schema as
    | { readonly wrapped?: unknown; readonly item?: unknown; readonly entries?: Readonly<Record<string, unknown>> }
    | undefined;
  if (shape === undefined) return undefined;
  if (shape.wrapped !== undefined) return entryAt(shape.wrapped, [key ?? '', ...rest]);
  if (key === undefined) return shape;
  if (shape.entries === undefined) return shape.item === undefined ? undefined : entryAt(shape.item, [key, ...rest]);
  const entry = shape.entries[key];
  return rest.length === 0 ? entry : entryAt(entry, rest);
}

describe('a feature unknown to the rest', () => {
  const diary = {
    name: 'diary',
    policy: { diary: v.optional(v.strictObject({ keep: v.picklist(['pages', 'days']) })) },
    limits: { pages: { entry: v.optional(v.number()), quantity: 'number' } },
    events: [event('diary.page', 'a page was written', { title: textPart })],
    commands: [
      { name: 'diary', module: 'diary.ts', export: 'diaryCommand', summary: 'Read the diary', section: 'review' },
    ],
  } as const satisfies Feature;
  const more = [...features, diary] as const;

  test('is in the policy, its limits among the others', () => {
    const schema = policySchemaOf(policyEntries(more));
    expect(v.parse(schema, { version: 1, diary: { keep: 'days' }, limits: { pages: 3, trash: '1GB' } })).toEqual({
      version: 1,
      diary: { keep: 'days' },
      limits: { pages: 3, trash: '1GB' },
    });
    expect(v.safeParse(schema, { version: 1, diary: { keep: 'weeks' } }).success).toBe(false);
    expect(v.safeParse(policySchemaOf(policyEntries(features)), { version: 1, diary: { keep: 'days' } }).success).toBe(
      false,
    );
    expectTypeOf<NonNullable<v.InferOutput<typeof schema>['diary']>['keep']>().toEqualTypeOf<'pages' | 'days'>();
    expectTypeOf<NonNullable<v.InferOutput<typeof schema>['limits']>['pages']>().toEqualTypeOf<number | undefined>();
    expect(limitRows(more)).toHaveProperty(['pages', 'quantity'], 'number');
  });

  test('is in the journal', () => {
    expect(v.parse(v.variant('type', mergedEventSchemas(more)), { type: 'diary.page', title: 'x' })).toEqual({
      type: 'diary.page',
      title: 'x',
    });
    expectTypeOf<Extract<v.InferOutput<EventSchemas<typeof more>>, { type: 'diary.page' }>>().toEqualTypeOf<{
      type: 'diary.page';
      title: string;
    }>();
  });

  test('is in the help, with its like', () => {
    const names = bySection(commandRows(more)).map(({ name }) => name);
    expect(names[names.indexOf('trash') + 1]).toBe('diary');
    expect(names).toHaveLength(commandRows(features).length + 1);
  });
});
