import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const longestFile = 1_000_000;
/** Reads one of this many files, so that no package contributes all of it. */
const stride = 7;
const modules = join(import.meta.dirname, '../../node_modules');

/** Code and documents of packages, of at least `size` bytes, one character for each byte. */
export function realSource(size: number): string {
  const parts: string[] = [];
  let length = 0;
  for (const file of globSync('**/*.{js,ts,json,md}', { cwd: modules })
    .toSorted()
    .filter((_, index) => index % stride === 0)) {
    if (length > size) break;
    const path = join(modules, file);
    if (statSync(path).size > longestFile) continue;
    const text = readFileSync(path, 'latin1');
    parts.push(text);
    length += text.length;
  }
  return Buffer.from(parts.join(''), 'latin1').toString('latin1');
}
