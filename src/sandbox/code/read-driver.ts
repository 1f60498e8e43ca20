import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LanguagePreset } from './languages.ts';

/** The program that an interpreter is given first. In the sources it lies beside this file, and in a bundle below `dist`. `root`: of the package. */
export function readDriver(root: string, { driver }: Pick<LanguagePreset, 'driver'>): string {
  // Undefined in bundles of CommonJS.
  const url = import.meta.url as string | undefined;
  const directory = url?.endsWith('/src/sandbox/code/read-driver.ts') === true ? 'src/sandbox/code/drivers' : 'dist/drivers';
  return driver.map((file) => readFileSync(join(root, directory, file), 'utf8')).join('');
}
