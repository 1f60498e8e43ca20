/**
 * Prints docs/attacks.md from the output files of runs with `--json`. Of two results for one trial, the later one
 * counts. Exits 1 without a page if one has failed.
 */
import { readFileSync } from 'node:fs';
import { release } from 'node:os';
import process from 'node:process';
import type { Result } from './perform.ts';
import { mergeResults } from './merge.ts';
import { resultLines } from './report.ts';
import { attackTable } from './table.ts';

const records = process.argv
  .slice(2)
  .map((file) => (JSON.parse(readFileSync(file, 'utf8')) as { readonly results: readonly Result[] }).results);
const results = mergeResults(records);
const failed = results.filter(({ outcome }) => outcome.kind === 'failed');
for (const result of failed) console.error(resultLines(result));
if (failed.length > 0 || results.length === 0) process.exitCode = 1;
else console.log(attackTable(results, `Linux ${release().split('.', 2).join('.')}`));
