/**
 * Holds the shape of the C programs. A module is X.c with X.h, and an include of X.h is an arrow to it: no arrow leads back by way of
 * others, each X.c has a header of its own, and what is included is used. Prints what is wrong.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const files = globSync('native/src/**/*.{c,h}').toSorted();
const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
const arrows = new Map<string, readonly string[]>();
for (const file of files) arrows.set(moduleOf(file), [...(arrows.get(moduleOf(file)) ?? []), ...includesOf(file).map(moduleOf)].filter((target) => target !== moduleOf(file)));

const problems = [...circles(), ...files.flatMap(checkHeader), ...files.flatMap(checkUse)];
for (const problem of problems) console.error(problem);
console.log(`lint-native: ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;

function moduleOf(file: string): string {
  return file.slice(0, -'.c'.length);
}

function includesOf(file: string): readonly string[] {
  return [...(texts.get(file) ?? '').matchAll(/^#include "([^"]+)"/gmu)].map(([, target = '']) => normalize(join(dirname(file), target)));
}

/** One line for each arrow that closes a circle. */
function circles(): readonly string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (module: string, way: readonly string[]): void => {
    if (way.includes(module)) found.push(`a circle: ${[...way.slice(way.indexOf(module)), module].map((name) => name.replace('native/src/', '')).join(' -> ')}`);
    if (way.includes(module) || done.has(module)) return;
    for (const target of new Set(arrows.get(module))) visit(target, [...way, module]);
    done.add(module);
  };
  for (const module of arrows.keys()) visit(module, []);
  return found;
}

/** The compiler compares what a file defines with what others are told of it. */
function checkHeader(file: string): readonly string[] {
  const header = `${moduleOf(file)}.h`;
  if (!file.endsWith('.c') || file.endsWith('/main.c')) return [];
  if (!existsSync(header)) return [`${file}: has no header of its own`];
  return includesOf(file).includes(header) ? [] : [`${file}: does not include its own header`];
}

function checkUse(file: string): readonly string[] {
  const words = new Set(codeOf(file).match(/\w+/gu));
  const foreign = includesOf(file).filter((header) => moduleOf(header) !== moduleOf(file) && texts.has(header));
  return foreign.filter((header) => !namesOf(header).some((name) => words.has(name))).map((header) => `${file}: uses nothing of ${header}`);
}

/** Macros, tags, constants, types and functions that a header declares. */
function namesOf(header: string): readonly string[] {
  const code = codeOf(header);
  const constants = [...code.matchAll(/\benum(?: \w+)? \{([^}]*)\}/gu)].flatMap(([, body = '']) => body.match(/\b[A-Z]\w+/gu) ?? []);
  const declared = [/^#define (\w+)/gmu, /\b(?:struct|enum) (\w+) \{/gu, /^[\w *]*?\b(\w+)\([^;{}]*\);/gmu];
  /** `operate op_list, op_remove;`: functions of a type that has a name. */
  const typed = [...code.matchAll(/^\w+ (\w+(?:, \w+)*);/gmu)].flatMap(([, list = '']) => list.split(', '));
  return [...constants, ...typed, ...declared.flatMap((pattern) => [...code.matchAll(pattern)].map(([, name = '']) => name))];
}

/** Without comments, texts and includes. */
function codeOf(file: string): string {
  return (texts.get(file) ?? '').replaceAll(/\/\*[^]*?\*\/|"(?:\\.|[^"\\\n])*"|^#include .*$/gmu, ' ');
}
