/**
 * Looks for translated words and long sentences in the README and the pages that people write. Prints each, and ends
 * with 1 where there is one, or where there are more long sentences than before.
 */
import { globSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { lintProse, phrases } from './prose/lint-text.ts';

/** Sentences of 26 to 39 words in all pages: it may only become smaller. */
const mostLong = 111;

const pages = ['README.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md', 'CHANGELOG.md', ...globSync('docs/*.md').sort()];

let problems = 0;
let long = 0;
for (const page of pages) {
  const text = readFileSync(page, 'utf8');
  if (isGenerated(text)) continue;
  for (const { kind, line, text: found } of lintProse(text)) {
    long += kind === 'long' ? 1 : 0;
    if (kind === 'long' && !process.argv.includes('--long')) continue;
    problems += kind === 'long' ? 0 : 1;
    console.log(`${page}:${line}: ${kind}: ${found}${kind === 'phrase' ? ` (say: ${insteadOf(found)})` : ''}`);
  }
}
if (long > mostLong) {
  problems += 1;
  console.log(
    `${long} long sentences, where ${mostLong} are allowed: \`node scripts/lint-prose.ts --long\` lists them`,
  );
}
console.log(`lint-prose: ${problems} problems, ${long} long sentences`);
if (problems > 0) process.exitCode = 1;

function isGenerated(text: string): boolean {
  return /generated (?:from|by)/iu.test(text.slice(0, 1500)) || text.startsWith('# Attacks');
}

function insteadOf(found: string): string {
  return phrases.find(({ pattern }) => pattern.test(found))?.instead ?? '';
}
