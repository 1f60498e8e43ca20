import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Command, usageOf } from './command.ts';
import { commandTable } from './table.ts';

/** Subcommands without `--json`, and why. */
const reasons: readonly (readonly [beginning: string, reason: string])[] = [
  ['run', 'what it prints is what its command prints'],
  ['attach', 'what it prints is what the command of the server prints'],
  ['logs', 'what it prints is what the command of the server printed'],
  ['cluster exec', 'what it prints is what its command prints'],
  ['cluster attach', 'what it prints is what the command in the cluster prints'],
  ['cluster logs', 'what it prints is what the command in the cluster printed'],
  ['mcp', 'speaks JSON-RPC'],
  ['hook', 'answers in the JSON of its agent'],
  ['approvals watch', 'a dialogue at a terminal, lines of JSON elsewhere'],
  ['approvals relay', 'speaks lines of JSON'],
  ['completion', 'a script for a shell'],
];

describe.each(commandTable)('$name', (row) => {
  test('is the command that its row names', async () => {
    const module = (await import(/* @vite-ignore */ join(import.meta.dirname, row.module))) as Readonly<
      Record<string, Command>
    >;
    const command = module[row.export];
    expect(command?.name).toBe(row.name);
    const usage = command === undefined ? '' : await usageOf(command);
    expect(usage).toMatch(new RegExp(`^usage: holdfast ${row.name}\\b`, 'u'));
    expect(usage.endsWith('\n')).toBe(false);
  });

  test('says what it has to say as JSON too, in each of its forms, or why it does not', async () => {
    const module = (await import(/* @vite-ignore */ join(import.meta.dirname, row.module))) as Readonly<
      Record<string, Command>
    >;
    const command = module[row.export];
    const usage = command === undefined ? '' : await usageOf(command);
    const { options = {} } = command ?? {};
    const [synopsis = ''] = usage.split('\n\n');
    const described = /^ +--json\b/mu.test(usage);
    const forms = synopsis.split('\n').map((line) => line.replace(/^(?:usage:)? +holdfast /u, ''));
    const without = forms.filter((form) => !form.includes('--json') && !(form.includes('[OPTIONS]') && described));
    expect(
      without.filter((form) => !reasons.some(([beginning]) => form === beginning || form.startsWith(`${beginning} `))),
    ).toEqual([]);
    if (without.length < forms.length) expect(options['json']).toEqual({ type: 'boolean' });
  });
});

test('no reason is left over', async () => {
  const usages = await Promise.all(
    commandTable.map(async (row) => {
      const module = (await import(/* @vite-ignore */ join(import.meta.dirname, row.module))) as Readonly<
        Record<string, Command>
      >;
      const command = module[row.export];
      return command === undefined ? '' : usageOf(command);
    }),
  );
  const lines = usages.flatMap((usage) => (usage.split('\n\n')[0] ?? '').split('\n'));
  expect(
    reasons.filter(
      ([beginning]) => !lines.some((line) => line.includes(`holdfast ${beginning}`) && !line.includes('--json')),
    ),
  ).toEqual([]);
});
