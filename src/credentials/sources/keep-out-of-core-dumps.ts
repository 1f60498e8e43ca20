import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Keeps the memory of this process out of core dumps: no mapping of any kind is written to one, core(5) "Controlling
 * which mappings are written to the core dump". Processes that it starts from then on inherit this, the commands of
 * boxes too: their core dumps hold registers and no memory. `unavailable` where the kernel has no such setting, e.g. on
 * macOS, or refuses it: then who starts the session should say so.
 */
export function keepOutOfCoreDumps(): 'kept-out' | 'unavailable' {
  try {
    writeFileSync(filter, '0');
    return Number.parseInt(readFileSync(filter, 'utf8'), 16) === 0 ? 'kept-out' : 'unavailable';
  } catch {
    return 'unavailable';
  }
}

const filter = '/proc/self/coredump_filter';
