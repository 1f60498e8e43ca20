/**
 * Writes docs/threat-matrix.md from runs on this machine. With `--texts`, it keeps the page's cells and renews the text
 * around them. An inconclusive run leaves the page unchanged.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { release } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { loadAttacks } from '../runner/catalogue.ts';
import { buildTools, copyInstallation } from '../runner/installation.ts';
import { columns } from './columns.ts';
import { exploits } from './exploits.ts';
import { matrixPage, pagePath, readMatrix, type Matrix } from './page.ts';
import { installStandIns, performExploit } from './perform-matrix.ts';
import { cellText } from './verdict.ts';

const repository = resolve(import.meta.dirname, '../..');
const matrix = process.argv.includes('--texts') ? readMatrix(readFileSync(pagePath, 'utf8')) : await perform();
if (matrix === undefined) throw new Error('the page has another shape: make it from runs');
writeFileSync(pagePath, matrixPage(matrix));

async function perform(): Promise<Matrix> {
  const attacks = loadAttacks(join(repository, 'attacks'));
  const tools = buildTools(join(repository, 'attacks/programs'));
  const { holdfast, remove } = copyInstallation(repository);
  const rows: (readonly string[])[] = [];
  try {
    installStandIns(holdfast);
    for (const exploit of exploits) {
      const cells = (await performExploit(exploit, { tools, holdfast, attacks })).map(cellText);
      console.error([exploit.title, ...cells.map((cell, index) => `  ${columns[index]?.title}: ${cell}`)].join('\n'));
      rows.push(cells);
    }
  } finally {
    remove();
  }
  return { machine: { kernel: release().split('.', 2).join('.'), bubblewrap: versionOf('bwrap') }, rows };
}

function versionOf(program: string): string {
  return /\d+(?:\.\d+)+/u.exec(spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[0] ?? 'absent';
}
