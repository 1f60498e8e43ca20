/**
 * Tries each regular expression of the source on long runs of a character or two, and prints those that take too long.
 * On hostile text, each must take linear time. Exits 1 if it prints one. It does not see those made with `new RegExp`.
 * usage: node scripts/regex-growth.ts [PATTERN of the paths]
 */
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import process from 'node:process';
import { createContext, Script } from 'node:vm';
import { parseSync, Visitor } from 'oxc-parser';

const root = resolve(import.meta.dirname, '..');
/** A quadratic expression looks at 70 million characters, and takes 0.3 s or more. A linear one takes microseconds. */
const length = 12_000;
const mostMilliseconds = 200;
/** Ends a run that would take minutes. */
const timeout = 2_000;
/** Expressions that never get such a text, and why. */
const bounded: readonly { readonly path: string; readonly part: string; readonly why: string }[] = [
  { path: 'src/trust/extract/xml.ts', part: '(?<double>', why: 'attributes that another expression has found' },
  { path: 'src/shell/tools/languages/sources.ts', part: '[a-z][a-z\\d.-]*$', why: 'at most 2,048 characters' },
  { path: 'src/shell/analyse/languages.ts', part: '(?:^|[;\\n|&{]', why: 'at most 40 characters' },
  { path: 'src/sandbox/doctor/container/signs.ts', part: '- overlay ', why: "the kernel's table of mounts" },
  { path: 'src/credentials/tokens/inject/json-strings.ts', part: '(\\s*:\\s*)', why: 'valid JSON' },
  { path: 'src/agents/import/globs.ts', part: '[^\\]/]*', why: 'at most 4,096 characters' },
  { path: 'src/cli/usage-table.ts', part: '(?:\\d{3})+$', why: 'the digits of a number' },
  { path: 'src/backends/bubblewrap/bubblewrap.ts', part: '[\\d.]*', why: 'the version of a program of the machine' },
];

const anywhere = ['a', '0', ' ', '\n', '/', '-', '_', '.', '=', '"', "'", '\\', '(', '[', '{', ':', '@', ',', '<', '$'];
const context = createContext({ performance, expression: /a/u, texts: [''] });
/** The slowest of the texts, and its time. One run for all of them, because each run with a limit starts a thread. */
const tryAll = new Script(`(() => {
  let worst = { at: 0, milliseconds: 0 };
  texts.forEach((text, at) => {
    const begun = performance.now();
    text.replace(expression, '');
    const milliseconds = performance.now() - begun;
    if (milliseconds > worst.milliseconds) worst = { at, milliseconds };
  });
  return worst;
})()`);

const pattern = process.argv[2] ?? 'src/**/*.ts';
const expressions = globSync(pattern, { cwd: root })
  .filter((path) => !path.endsWith('.test.ts') && !path.includes('/testing/'))
  .flatMap(expressionsOf);
const slow = expressions.flatMap((found) => {
  const { path, expression } = found;
  if (bounded.some((known) => known.path === path && expression.source.includes(known.part))) return [];
  const taken = slowestRun(expression);
  return taken === undefined ? [] : [{ ...found, ...taken }];
});
for (const { path, line, expression, run, milliseconds } of slow)
  console.log(`${path}:${line}: ${String(expression)} takes ${milliseconds} ms on ${length} × ${JSON.stringify(run)}`);
console.log(`regex-growth: ${expressions.length} expressions, ${slow.length} too slow`);
process.exitCode = slow.length > 0 || expressions.length === 0 ? 1 : 0;

interface Found {
  readonly path: string;
  readonly line: number;
  readonly expression: RegExp;
}

function expressionsOf(path: string): readonly Found[] {
  const source = readFileSync(resolve(root, path), 'utf8');
  const found: Found[] = [];
  const { program } = parseSync(path, source);
  new Visitor({
    Literal: (node) => {
      if (!('regex' in node)) return;
      const line = source.slice(0, node.start).split('\n').length;
      found.push({ path, line, expression: new RegExp(node.regex.pattern, node.regex.flags) });
    },
  }).visit(program);
  return found;
}

interface Taken {
  readonly run: string;
  readonly milliseconds: number;
}

function slowestRun(expression: RegExp): Taken | undefined {
  const runs = runsFor(expression);
  const worst = worstOf(expression, runs) ?? runs.map((run) => worstOf(expression, [run]) ?? endless(run)).find(isSlow);
  // Once more, because another process may have taken the processor.
  return worst !== undefined && isSlow(worst) && isSlow(worstOf(expression, [worst.run]) ?? endless(worst.run))
    ? worst
    : undefined;
}

/** Undefined if they take too long together. */
function worstOf(expression: RegExp, runs: readonly string[]): Taken | undefined {
  // The end keeps an expression from matching.
  const texts = runs.map((run) => `${run.repeat(length / run.length)}\u0001`);
  Object.assign(context, { expression, texts });
  try {
    const { at, milliseconds } = tryAll.runInContext(context, { timeout }) as { at: number; milliseconds: number };
    return { run: runs[at] ?? '', milliseconds: Math.round(milliseconds) };
  } catch {
    return undefined;
  }
}

function isSlow({ milliseconds }: Taken): boolean {
  return milliseconds > mostMilliseconds;
}

function endless(run: string): Taken {
  return { run, milliseconds: timeout };
}

/** Each character that the expression names and each usual one, alone, and in pairs with those that it names. */
function runsFor({ source }: RegExp): readonly string[] {
  const named = [...new Set(source.replaceAll(/\\[a-zA-Z]/gu, '').replaceAll(/[\\^$?+*|]/gu, ''))].slice(0, 24);
  const words = source.match(/[a-z]{3,12}/giu)?.slice(0, 4) ?? [];
  const singles = [...new Set([...named, ...anywhere, ...words])];
  return [...singles, ...named.flatMap((one) => singles.filter((other) => other !== one).map((other) => one + other))];
}
