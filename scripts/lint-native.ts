/**
 * Checks the shape of the C programs. A module is X.c with X.h, and an include of X.h is an arrow to it, and from
 * folder to folder. No arrow leads back through others, each X.c has a header of its own, and each include is used.
 * Prints the faults.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const files = globSync('native/src/**/*.{c,h}').toSorted();
const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));

const problems = [
  ...circles(arrowsBetween(moduleOf)),
  ...circles(arrowsBetween(dirname)),
  ...files.flatMap(checkHeader),
  ...files.flatMap(checkUse),
];
for (const problem of problems) console.error(problem);
console.log(`lint-native: ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;

function moduleOf(file: string): string {
  return file.slice(0, -'.c'.length);
}

function includesOf(file: string): readonly string[] {
  return [...(texts.get(file) ?? '').matchAll(/^#include "([^"]+)"/gmu)].map(([, target = '']) =>
    normalize(join(dirname(file), target)),
  );
}

/** `place` is the file's folder. */
function arrowsBetween(place: (file: string) => string): ReadonlyMap<string, ReadonlySet<string>> {
  const arrows = new Map<string, Set<string>>();
  for (const file of files) {
    const targets = arrows.get(place(file)) ?? new Set();
    for (const target of includesOf(file).map(place)) if (target !== place(file)) targets.add(target);
    arrows.set(place(file), targets);
  }
  return arrows;
}

/** One line for each arrow that closes a circle. */
function circles(arrows: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (place: string, way: readonly string[]): void => {
    if (way.includes(place)) found.push(`a circle: ${[...way.slice(way.indexOf(place)), place].join(' -> ')}`);
    if (way.includes(place) || done.has(place)) return;
    for (const target of arrows.get(place) ?? []) visit(target, [...way, place]);
    done.add(place);
  };
  for (const place of arrows.keys()) visit(place, []);
  return found;
}

/** The compiler compares a file's definitions with the declarations that others include. */
function checkHeader(file: string): readonly string[] {
  const header = `${moduleOf(file)}.h`;
  if (!file.endsWith('.c') || file.endsWith('/main.c')) return [];
  if (!existsSync(header)) return [`${file}: has no header of its own`];
  return includesOf(file).includes(header) ? [] : [`${file}: does not include its own header`];
}

function checkUse(file: string): readonly string[] {
  const words = new Set(codeOf(file).match(/\w+/gu));
  const foreign = includesOf(file).filter((header) => moduleOf(header) !== moduleOf(file) && texts.has(header));
  return foreign
    .filter((header) => !namesOf(header).some((name) => words.has(name)))
    .map((header) => `${file}: uses nothing of ${header}`);
}

/** Macros, tags, constants, types and functions that a header declares. */
function namesOf(header: string): readonly string[] {
  const code = codeOf(header);
  const constants = [...code.matchAll(/\benum(?: \w+)? \{([^}]*)\}/gu)].flatMap(
    ([, body = '']) => body.match(/\b[A-Z]\w+/gu) ?? [],
  );
  const declared = [/^#define (\w+)/gmu, /\b(?:struct|enum) (\w+) \{/gu, /^[\w *]*?\b(\w+)\([^;{}]*\);/gmu];
  // `operate op_list, op_remove;`: functions of a named type.
  const typed = [...code.matchAll(/^\w+ (\w+(?:, \w+)*);/gmu)].flatMap(([, list = '']) => list.split(', '));
  return [
    ...constants,
    ...typed,
    ...declared.flatMap((pattern) => [...code.matchAll(pattern)].map(([, name = '']) => name)),
  ];
}

/** Without comments, texts and includes. */
function codeOf(file: string): string {
  return (texts.get(file) ?? '').replaceAll(/\/\*[^]*?\*\/|"(?:\\.|[^"\\\n])*"|^#include .*$/gmu, ' ');
}
