/** Checks the house's sizes: no file over 300 lines of code, except data tables and generated files. */
import { globSync, readFileSync } from 'node:fs';

const limit = 300;
/** Tables of data and generated files: long by nature, and not read in order. */
const tables = /(?:syscalls-(?:x64|arm64)|built-filters|read-only-battery)\.ts$/u;

const long = globSync(['{src,scripts,bench,attacks,test}/**/*.{ts,tsx}', 'native/{src,fuzz}/**/*.{c,h}'])
  .filter((file) => !tables.test(file) && !file.endsWith('.test.ts'))
  .map((file) => ({
    file,
    lines: readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '' && !/^\s*(?:\/\/|\/?\*)/u.test(line)).length,
  }))
  .filter(({ lines }) => lines > limit);
for (const { file, lines } of long) console.error(`${file}: ${lines} lines of code, ${limit} allowed`);
console.log(`lint-size: ${long.length} problems`);
process.exitCode = long.length === 0 ? 0 : 1;
