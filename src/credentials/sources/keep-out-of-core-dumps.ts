import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Keeps the memory of this process out of core dumps: no mapping of any kind is written to one. Source: core(5),
 * "Controlling which mappings are written to the core dump". Processes that it starts later inherit this, including
 * commands in boxes. Their core dumps contain registers but no memory. Returns `unavailable` if the kernel lacks or
 * refuses the setting, for example on macOS. The session should then report it.
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
