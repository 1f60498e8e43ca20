import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import process from 'node:process';

const repository = resolve(import.meta.dirname, '..');
const entry = 'sandbox/index.d.ts';
const importPattern = /((?:from|import)\s*\(?\s*['"])(\.[^'"]+)\.ts(?=['"])/gu;

/** Writes `index.d.ts`, and all declarations behind it below `types/`. Checks nothing: `npm run types` does that. */
export function buildTypes(into: string): void {
  const emitted = mkdtempSync(join(tmpdir(), 'holdfast-types-'));
  try {
    emit(emitted);
    for (const file of reachable(emitted)) copyDeclaration(join(emitted, file), join(into, 'types', file));
    writeFileSync(join(into, 'index.d.ts'), `export * from './types/${entry.replace('.d.ts', '.js')}';\n`);
  } finally {
    rmSync(emitted, { recursive: true });
  }
}

function emit(into: string): void {
  const options = [
    '--noEmit',
    'false',
    '--declaration',
    '--emitDeclarationOnly',
    '--noCheck',
    '--rootDir',
    'src',
    '--outDir',
    into,
  ];
  const words = [
    '--ignoreConfig',
    '--target',
    'es2024',
    '--lib',
    'es2024,esnext.disposable',
    '--module',
    'nodenext',
    '--allowImportingTsExtensions',
    '--skipLibCheck',
    '--types',
    'node',
    ...options,
    'src/sandbox/index.ts',
  ];
  execFileSync(process.execPath, [join(repository, 'node_modules/typescript/bin/tsc'), ...words], {
    cwd: repository,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

/** The declarations behind the library's own, by their imports. */
function reachable(directory: string): ReadonlySet<string> {
  const found = new Set([entry]);
  for (const file of found) {
    const text = readFileSync(join(directory, file), 'utf8');
    for (const [, , path = ''] of text.matchAll(importPattern))
      found.add(relative(directory, resolve(directory, dirname(file), `${path}.d.ts`)));
  }
  return found;
}

/** Sources import each other with their own extension. Declarations name the compiled files. */
function copyDeclaration(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, readFileSync(from, 'utf8').replaceAll(importPattern, '$1$2.js'));
}
