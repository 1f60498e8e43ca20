/**
 * Prints the measures of this source beside those of others. With `--check`, prints only exceeded limits that the check
 * holds, and ends with 1 after any.
 */
import { globSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { excesses, labels, measure, type Measure, type Measures, shown } from './measure/measures.ts';
import { readSource } from './measure/source.ts';

interface Body {
  readonly name: string;
  readonly files: string;
}

const own: Body = { name: 'holdfast', files: 'src/**/*.{ts,tsx}' };

/** Their sources are present if another dependency needs them. */
const others: readonly Body[] = [
  { name: 'our scripts', files: '{scripts,bench}/**/*.ts' },
  { name: 'execa', files: 'node_modules/execa/{index.js,lib/**/*.js}' },
  { name: 'zod', files: 'node_modules/zod/src/v4/**/*.ts' },
  { name: 'grpc-js', files: 'node_modules/@grpc/grpc-js/src/**/*.ts' },
  { name: 'noble', files: 'node_modules/@noble/hashes/src/**/*.ts' },
];

/** Tests and their helpers, generated tables, and locales, which are data. */
const apart =
  /\.test\.tsx?$|\.d\.ts$|\/(?:testing|fixtures|tests?|generated|locales)\/|(?:syscalls-(?:x64|arm64)|built-filters|\/builtin\/[\w-]+|output-patterns)\.ts$/u;

const measured = measureBody(own);
if (measured === undefined) throw new Error('no source here: run this in the repository');
if (process.argv.includes('--check')) check(measured);
else print(measured);

function check(measures: Measures): void {
  const exceeded = excesses(measures, ['kept']);
  for (const line of exceeded) console.log(line);
  if (exceeded.length > 0) process.exitCode = 1;
}

function print(measures: Measures): void {
  const rest = others.map((body) => ({ name: body.name, measures: measureBody(body) }));
  console.log(table([{ name: own.name, measures }, ...rest]));
  for (const line of excesses(measures)) console.log(line);
}

/** Undefined for a body that is not installed. */
function measureBody({ files }: Body): Measures | undefined {
  const paths = globSync(files).filter((path) => !apart.test(path));
  return paths.length === 0
    ? undefined
    : measure(paths.sort().map((path) => readSource(path, readFileSync(path, 'utf8'))));
}

function table(columns: readonly { readonly name: string; readonly measures: Measures | undefined }[]): string {
  const names = Object.keys(labels) as readonly Measure[];
  const rows = [
    ['', ...columns.map(({ name }) => name)],
    ...names.map((name) => [
      labels[name],
      ...columns.map(({ measures }) => (measures === undefined ? 'absent' : shown(name, measures[name]))),
    ]),
  ];
  return rows
    .map(([label = '', ...cells]) => [label.padEnd(28), ...cells.map((cell) => cell.padStart(12))].join(''))
    .join('\n');
}
