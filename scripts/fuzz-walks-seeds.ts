/** Writes trees and their changes, as seeds for the fuzzer of walks: `node fuzz-walks-seeds.ts DIRECTORY`. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

const directory = process.argv[2] ?? 'seeds';
mkdirSync(directory, { recursive: true });

const source = readFileSync(join(import.meta.dirname, '../native/fuzz/walks.c'), 'utf8');
const places = listOf('places');
const operations = listOf('operations');

function listOf(name: string): readonly string[] {
  const text = new RegExp(`${name}\\[\\] = \\{([^}]*)\\}`, 'u').exec(source)?.[1] ?? '';
  return [...text.matchAll(/"([^"]*)"/gu)].map(([, word = '']) => word);
}

/** Each step is `OPERATION PLACE [PLACE or number]`, and steps are separated by semicolons. */
interface Story {
  readonly before: string;
  readonly between: string;
  readonly after?: string;
}

const objects = 'mkdir d;mkdir d/.git;mkdir d/.git/objects;mkdir d/.git/objects/ab';
const info = 'mkdir e;mkdir e/info;create e/info/exclude';
const becomesGit = 'create e/HEAD;mkdir e/objects;mkdir e/refs';
const stories: readonly Story[] = [
  { before: objects, between: 'mkdir d/.git/objects/ab/cd;create d/.git/objects/ab/cd/.envrc' },
  { before: info, between: becomesGit },
  { before: info, between: 'create e/HEAD', after: 'mkdir e/objects;mkdir e/refs' },
  { before: `${info};${becomesGit}`, between: 'remove e/HEAD', after: 'create e/HEAD;create a' },
  { before: 'mkdir a;mkdir a/b;create a/b/.envrc;chmod a/b 0', between: 'chmod a/b 3' },
  { before: 'mkdir a;mkdir a/b;create a/b/.envrc', between: 'chmod a/b 1', after: 'chmod a/b 3' },
  { before: 'mkdir a;mkdir a/b;symlink a/.envrc a/b/c', between: 'create a/b/c' },
  { before: 'mkdir f;symlink link f', between: 'create f/tasks.json' },
  { before: 'mkdir f;mkdir f/g;create f/g/AGENTS.md', between: 'create a', after: 'create z' },
  { before: `${objects};mkdir d/.git/hooks;mkdir d/.git/hooks/x;create z;link d/.git/hooks/x/y z`, between: 'mkdir a' },
  { before: 'mkdir a;mkdir a/b;mkdir a/b/c', between: 'create a/b/c/.envrc', after: 'create a/b/.envrc' },
  {
    before: 'mkdir a;mkdir a/b;mkdir a/b/c;deepen a/b/c',
    between: 'create a/b/c/.envrc;mkdir z',
    after: 'create a/.envrc',
  },
  {
    before: 'mkdir a;mkdir a/b;mkdir f;mkdir f/g',
    between: 'exchange a/b f/g',
    after: 'create a/b/.envrc;create f/tasks.json',
  },
  { before: 'mkdir f;create f/tasks.json', between: 'rename f .vscode', after: 'rename .vscode f' },
  { before: 'mkdir f;mkdir f/g;create f/g/prod.env', between: 'secret f/g/prod.env 1', after: 'secret f/g/prod.env 0' },
  { before: 'mkdir f;mkdir f/g;create f/g/AGENTS.md', between: 'remove f/g/AGENTS.md', after: 'create f/g/AGENTS.md' },
  {
    before: 'mkdir d;mkdir d/.git;mkdir d/.git/hooks;create d/.git/hooks/x',
    between: 'link z d/.git/hooks/x',
    after: 'remove z',
  },
  {
    before: 'mkdir node_modules;mkdir node_modules/p;create node_modules/p/.envrc',
    between: 'rename node_modules a',
    after: 'rename a node_modules',
  },
];

function stepsOf(text: string): readonly number[] {
  return text
    .split(';')
    .filter((step) => step !== '')
    .flatMap((step) => {
      const [operation = '', one = '', other = '0'] = step.split(' ');
      const place = /^\d$/u.test(other) ? Number(other) : places.indexOf(other);
      return [operations.indexOf(operation), places.indexOf(one), place];
    });
}

for (const [index, { before, between, after = '' }] of stories.entries()) {
  const parts = [before, between, after].map(stepsOf);
  const steps = parts.flat();
  if (steps.includes(-1)) throw new Error(`story ${index} names something that the fuzzer does not know`);
  const [first = [], second = []] = parts;
  writeFileSync(join(directory, String(index)), Uint8Array.from([first.length / 3, second.length / 3, ...steps]));
}
console.log(`${stories.length} seeds in ${directory}`);
