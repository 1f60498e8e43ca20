/**
 * Looks for translated words and long sentences in the README, in the pages that people write, and in the comments and
 * messages of the source. Prints each, and ends with 1 where there is one, or where there are more long sentences than
 * before.
 */
import { globSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { lintProse, phrases, type ProseFinding } from './prose/lint-text.ts';
import { proseOfSource } from './prose/source-prose.ts';

type Place = 'page' | 'comment' | 'message';
type Finding = ProseFinding & { readonly file: string };

/** Sentences of 26 and more words. None may come back. Endless sentences in pages and messages are errors. */
const mostLong = { page: 0, comment: 0, message: 0 } as const satisfies Record<Place, number>;

/** Lines of a page, unless it is made from code. */
const longestPage = 200;

const pages = ['README.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md', 'CHANGELOG.md', ...globSync('docs/*.md').sort()];
const sources = globSync('src/**/*.{ts,tsx}')
  .filter((file) => !/\.test\.tsx?$|\/testing\//u.test(file))
  .sort();
const findings: Readonly<Record<Place, readonly Finding[]>> = {
  page: pages.flatMap((file) => inPage(file, readFileSync(file, 'utf8'))),
  ...inSources(),
};

let problems = 0;
for (const file of pages.filter(isTooLong)) {
  problems += 1;
  console.log(`${file}: more than ${longestPage} lines`);
}
for (const place of ['page', 'comment', 'message'] as const) report(place);
console.log(`lint-prose: ${problems} problems`);
if (problems > 0) process.exitCode = 1;

function report(place: Place): void {
  const long = findings[place].filter((finding) => isLong(place, finding));
  const wrong = findings[place].filter((finding) => !isLong(place, finding));
  problems += wrong.length + (long.length > mostLong[place] ? 1 : 0);
  for (const finding of [...wrong, ...(process.argv.includes('--long') ? long : [])]) print(finding);
  const most = mostLong[place];
  const verdict = long.length > most ? `, where ${most} are allowed: \`node scripts/lint-prose.ts --long\`` : '';
  console.log(`${place}s: ${long.length} long sentences${verdict}`);
}

function isLong(place: Place, { kind }: Finding): boolean {
  return kind === 'long' || (kind === 'endless' && place === 'comment');
}

function print({ file, line, kind, text }: Finding): void {
  console.log(`${file}:${line}: ${kind}: ${text}${kind === 'phrase' ? ` (say: ${insteadOf(text)})` : ''}`);
}

function inPage(file: string, text: string): readonly Finding[] {
  return isGenerated(text) ? [] : lintProse(text).map((finding) => ({ ...finding, file }));
}

function isTooLong(file: string): boolean {
  const text = readFileSync(file, 'utf8');
  return file.startsWith('docs/') && !isGenerated(text) && text.trimEnd().split('\n').length > longestPage;
}

function inSources(): Readonly<Record<'comment' | 'message', readonly Finding[]>> {
  const all = sources.flatMap((file) =>
    proseOfSource(file, readFileSync(file, 'utf8')).flatMap(({ kind: place, line, text }) =>
      lintProse(text)
        .filter(({ kind }) => kind === 'phrase' || place === 'comment' || isSentence(text))
        .map((finding) => ({ ...finding, file, place, line: line + finding.line - 1 })),
    ),
  );
  return {
    comment: all.filter(({ place }) => place === 'comment'),
    message: all.filter(({ place }) => place === 'message'),
  };
}

/** Usage texts, programs and lists of words are none. */
function isSentence(message: string): boolean {
  return !message.includes('\n') && !message.includes(') => {') && /\p{L}[,.;:](?:\s|$)/u.test(message);
}

function isGenerated(text: string): boolean {
  return /generated (?:from|by)/iu.test(text.slice(0, 1500)) || text.startsWith('# Attacks');
}

function insteadOf(found: string): string {
  return phrases.find(({ pattern }) => pattern.test(found))?.instead ?? '';
}
