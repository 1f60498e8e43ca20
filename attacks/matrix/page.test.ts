import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadAttacks } from '../runner/catalogue.ts';
import { checklist } from './checklist.ts';
import { isShown } from './checklist-section.ts';
import { columns } from './columns.ts';
import { exploits } from './exploits.ts';
import { matrixPage, pagePath, readMatrix, type Matrix } from './page.ts';
import { patterns } from './patterns.ts';

const repository = resolve(import.meta.dirname, '../..');
const names = loadAttacks(join(repository, 'attacks')).map(({ name }) => name);
const isAttack = (name: string): boolean => names.includes(name);
const cell =
  /^(?:blocked|contained|not run here|\*\*succeeds\*\*|\*\*\d+ of \d+ succeed\*\*(?:, \d+ of \d+ contained)?|\d+ of \d+ contained)$/u;

describe('the page of the threat matrix', () => {
  const page = readFileSync(pagePath, 'utf8');
  const matrix = readMatrix(page);
  const cellsOf = (title: string): readonly (string | undefined)[] =>
    (matrix?.rows ?? []).map((row) => row[columns.findIndex((column) => column.title === title)]);

  test('is the run’s output, without later edits', () => {
    expect(matrixPage(matrix as Matrix)).toBe(page);
  });

  test('has a cell for each exploit and column, and each is a verdict', () => {
    expect(matrix?.rows.map((row) => row.length)).toEqual(exploits.map(() => columns.length));
    expect(matrix?.rows.flat().filter((text) => !cell.test(text))).toEqual([]);
  });

  test('shows exploits that succeed without any defence, and columns that could not be tried as such', () => {
    expect(new Set(cellsOf('No sandbox'))).toEqual(new Set(['**succeeds**']));
    for (const { title, rig } of columns)
      if (rig.kind === 'not run here') expect(new Set(cellsOf(title)), title).toEqual(new Set(['not run here']));
  });

  test('names no place of the machine it was made on', () => {
    expect(page).not.toMatch(/\/(?:srv|work|home|root|tmp)\//u);
  });
});

describe('readMatrix', () => {
  test('reads back what matrixPage writes', () => {
    const made: Matrix = {
      machine: { kernel: '6.1', bubblewrap: '0.8.0' },
      rows: exploits.map((_, row) => columns.map((_column, index) => `${row} of ${index} contained`)),
    };
    expect(readMatrix(matrixPage(made))).toEqual(made);
  });

  test('has nothing for another page', () => {
    expect(readMatrix('# Threat matrix\n')).toBeUndefined();
  });
});

describe('patterns', () => {
  test('are 25, and each of their attacks is there, and none is forgotten', () => {
    expect(new Set(patterns.map(([number]) => number)).size).toBe(25);
    expect(patterns.flatMap(([, attacks]) => attacks).toSorted()).toEqual(
      names.filter((name) => name.startsWith('mindgard-')),
    );
  });

  test('that exploits of the matrix are are there', () => {
    expect(exploits.map(({ attack }) => attack).filter((attack) => !isAttack(attack))).toEqual([]);
  });
});

describe('the checklist', () => {
  test('has 46 boxes, and each is shown by something or says why not', () => {
    expect(checklist).toHaveLength(46);
    expect(checklist.filter((box) => !isShown(box) && box.gap === undefined)).toEqual([]);
  });

  test.each(checklist.map((box, index) => [index + 1, box] as const))(
    '%d names attacks and tests that are there',
    (_, { attacks, tests }) => {
      expect(attacks.filter((name) => !isAttack(name))).toEqual([]);
      expect(tests.filter((file) => !existsSync(join(repository, file)))).toEqual([]);
    },
  );
});
