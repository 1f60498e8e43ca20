import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Command } from './command.ts';
import { commandTable } from './table.ts';

describe.each(commandTable)('$name', (row) => {
  test('is the command that its row names, with the same summary', async () => {
    const module = (await import(/* @vite-ignore */ join(import.meta.dirname, row.module))) as Readonly<Record<string, Command>>;
    const command = module[row.export];
    expect(command?.name).toBe(row.name);
    expect(command?.summary).toBe(row.summary);
    expect(command?.usage).toMatch(new RegExp(`^usage: holdfast ${row.name}\\b`, 'u'));
    expect(command?.usage.endsWith('\n')).toBe(false);
  });
});
