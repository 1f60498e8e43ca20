import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { removeTree } from '../../kernel/index.ts';

/** Long enough for whoever is making or removing it now. Milliseconds. */
const age = 3_600_000;

/** Removes what somebody who was killed had begun to make or to remove. What cannot be removed is left to the next one. */
export function removeLeftovers(directory: string): void {
  for (const path of leftoversIn(directory)) {
    try {
      if (Date.now() - lstatSync(path).ctimeMs > age) removeTree(path);
    } catch {
      continue;
    }
  }
}

function leftoversIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory).flatMap((name) => (/^\.(?:new|removed)-/u.test(name) ? [join(directory, name)] : []));
  } catch {
    return [];
  }
}
