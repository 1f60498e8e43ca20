/**
 * Looks for translated words and long sentences in the README, in the pages that people write, and in the comments and
 * messages of the source. Prints each, and ends with 1 where there is one.
 */
import { globSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { lintProse, phrases, type ProseFinding } from './prose/lint-text.ts';
import { commentsOfC, proseOfSource } from './prose/source-prose.ts';

type Finding = ProseFinding & { readonly file: string };

/** Lines of a page, unless it is made from code. */
const longestPage = 200;

const pages = ['README.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md', 'CHANGELOG.md', ...globSync('docs/*.md').sort()];
const sources = globSync('src/**/*.{ts,tsx}')
  .filter((file) => !/\.test\.tsx?$|\/testing\//u.test(file))
  .sort();
const programs = globSync('native/src/**/*.{c,h}').sort();
const scripts = globSync('scripts/**/*.ts')
  .filter((file) => !file.endsWith('.test.ts'))
  .sort();
const tooLong = pages.filter(isTooLong);
for (const file of tooLong) console.log(`${file}: more than ${longestPage} lines`);
const found = [
  ...pages.flatMap(inPage),
  ...sources.flatMap(inSource),
  ...[...programs, ...scripts].flatMap(inComments),
];
for (const finding of found) print(finding);
const problems = tooLong.length + found.length;
console.log(`lint-prose: ${problems} problems`);
if (problems > 0) process.exitCode = 1;

function print({ file, line, kind, text }: Finding): void {
  console.log(`${file}:${line}: ${kind}: ${text}${advice(kind, text)}`);
}

function inPage(file: string): readonly Finding[] {
  const text = readFileSync(file, 'utf8');
  return isGenerated(text) ? [] : lintProse(text).map((finding) => ({ ...finding, file }));
}

function isTooLong(file: string): boolean {
  const text = readFileSync(file, 'utf8');
  return file.startsWith('docs/') && !isGenerated(text) && text.trimEnd().split('\n').length > longestPage;
}

function inSource(file: string): readonly Finding[] {
  return proseOfSource(file, readFileSync(file, 'utf8')).flatMap(({ kind: place, line, text }) =>
    lintProse(text)
      .filter(({ kind }) => counts(kind, { place, text }))
      .map((finding) => ({ ...finding, file, line: line + finding.line - 1 })),
  );
}

/** Looks only for clauses. */
function inComments(file: string): readonly Finding[] {
  const source = readFileSync(file, 'utf8');
  const texts = file.endsWith('.ts') ? proseOfSource(file, source) : commentsOfC(source);
  return texts.flatMap(({ kind: place, line, text }) =>
    (place === 'comment' ? lintProse(text) : [])
      .filter(({ kind }) => kind === 'clause')
      .map((finding) => ({ ...finding, file, line: line + finding.line - 1 })),
  );
}

interface ProsePlace {
  readonly place: 'comment' | 'message';
  readonly text: string;
}

/** Only sentences have a length. */
function counts(kind: ProseFinding['kind'], { place, text }: ProsePlace): boolean {
  switch (kind) {
    case 'phrase':
    case 'clause':
      return true;
    case 'long':
    case 'endless':
      return place === 'comment' || isSentence(text);
  }
}

/** Usage texts, programs and lists of words do not count. */
function isSentence(message: string): boolean {
  return !message.includes('\n') && !message.includes(') => {') && /\p{L}[,.;:](?:\s|$)/u.test(message);
}

function isGenerated(text: string): boolean {
  return /generated (?:from|by)/iu.test(text.slice(0, 1500)) || text.startsWith('# Attacks');
}

function advice(kind: ProseFinding['kind'], found: string): string {
  if (kind === 'clause') return ' (say: a noun, as "its content")';
  const instead = phrases.find(({ pattern }) => pattern.test(found))?.instead;
  return kind === 'phrase' && instead !== undefined ? ` (say: ${instead})` : '';
}
