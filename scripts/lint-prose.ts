/**
 * Looks for translated words and long sentences in the README, in handwritten pages, and in the comments and messages
 * of the source. Also holds the comments of tests, benches and scripts, and the prose of the attacks. Prints each, and
 * ends with 1 if it finds one.
 */
import { globSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { proseOfAttack } from './prose/attack-prose.ts';
import { lintProse, openingClause, phrases, type ProseFinding } from './prose/lint-text.ts';
import { commentsOfC, proseOfSource, type SourceProse } from './prose/source-prose.ts';

type Finding = ProseFinding & { readonly file: string };

/** Lines of a page, unless it is made from code. */
const longestPage = 200;

const pages = ['README.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md', 'CHANGELOG.md', ...globSync('docs/*.md').sort()];
const sources = globSync('src/**/*.{ts,tsx}')
  .filter((file) => !/\.test\.tsx?$|\/testing\//u.test(file))
  .sort();
const programs = globSync('native/{src,fuzz}/**/*.{c,h}').sort();
/** Code of which a person reads the comments alone. */
const helpers = globSync(['{test,bench,scripts,attacks}/**/*.{ts,mjs,cjs}', 'src/**/testing/**/*.{ts,tsx}']).sort();
const attacks = globSync('attacks/*/*.md').sort();
const tooLong = pages.filter(isTooLong);
for (const file of tooLong) console.log(`${file}: more than ${longestPage} lines`);
const found = [
  ...pages.flatMap(inPage),
  ...sources.flatMap(inSource),
  ...programs.flatMap(inProgram),
  ...helpers.flatMap(inHelper),
  ...attacks.flatMap(inAttack),
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
  return findingsOf(file, proseOfSource(file, readFileSync(file, 'utf8')));
}

function inHelper(file: string): readonly Finding[] {
  const texts = proseOfSource(file, readFileSync(file, 'utf8'));
  return findingsOf(
    file,
    texts.filter(({ kind }) => kind === 'comment'),
  );
}

/** Looks only for clauses: many comments of the C programs are longer. */
function inProgram(file: string): readonly Finding[] {
  const found = findingsOf(file, commentsOfC(readFileSync(file, 'utf8')));
  return found.filter(({ kind }) => kind === 'clause' || kind === 'opening');
}

/** The reports of an attack are references, and may be long. */
function inAttack(file: string): readonly Finding[] {
  return proseOfAttack(readFileSync(file, 'utf8'))
    .flatMap(({ line, text }) => located([...lintProse(text), ...openingClause(text)], { file, line }))
    .filter(({ text }) => !text.startsWith('Reported:'));
}

function findingsOf(file: string, texts: readonly SourceProse[]): readonly Finding[] {
  return texts.flatMap(({ kind: place, line, text }) => {
    const found = lintProse(text).filter(({ kind }) => counts(kind, { place, text }));
    return located(place === 'comment' ? [...found, ...openingClause(text)] : found, { file, line });
  });
}

function located(
  found: readonly ProseFinding[],
  { file, line }: { readonly file: string; readonly line: number },
): readonly Finding[] {
  return found.map((finding) => ({ ...finding, file, line: line + finding.line - 1 }));
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
    case 'opening':
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
  if (kind === 'opening') return ' (begin with the subject)';
  if (kind === 'clause') return ' (say: a noun, as "its content")';
  const instead = phrases.find(({ pattern }) => pattern.test(found))?.instead;
  return kind === 'phrase' && instead !== undefined ? ` (say: ${instead})` : '';
}
