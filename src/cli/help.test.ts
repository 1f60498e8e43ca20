import { describe, expect, test } from 'vitest';
import { fullHelp, shortHelp } from './help.ts';
import { commandTable } from './table.ts';

describe('holdfast help', () => {
  const lines = shortHelp().trimEnd().split('\n');

  test('fits on the screen of a small terminal', () => {
    expect(lines.length).toBeLessThanOrEqual(25);
    for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(80);
  });

  test('names every command once', () => {
    for (const { name } of commandTable)
      expect(
        lines.filter(
          (line) => line.startsWith('  ') && line.slice(16).split(' ').concat(line.slice(2, 16).trim()).includes(name),
        ).length,
        name,
      ).toBeGreaterThan(0);
  });

  test('describes the commands of every day, the first of them first', () => {
    const described = lines.slice(3, lines.indexOf('', 3)).map((line) => line.trim().split(' ')[0]);
    expect(described).toEqual(['setup', 'run', 'review', 'accept', 'why', 'approvals', 'policy', 'doctor']);
  });
});

describe('holdfast help all', () => {
  test.each(commandTable)('describes $name in one plain line', ({ name, summary }) => {
    expect(fullHelp()).toContain(`\n  ${name.padEnd(14)}${summary}\n`);
    expect(summary).toMatch(/^[A-Z][^.]+$/u);
    expect(summary.length).toBeLessThanOrEqual(76);
  });

  test('has the commands of every day first in their sections', () => {
    const run = fullHelp().split('\nrun\n')[1] ?? '';
    expect(run.trim().split(' ')[0]).toBe('run');
  });
});
