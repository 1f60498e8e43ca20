import { readFileSync } from 'node:fs';
import { HoldfastError } from '../../errors/index.ts';

/**
 * Refuses a root in which something else is mounted: an overlay does not show it, and the kernel lets nobody without
 * privileges look at what lies beneath. Throws `HF_GUARANTEE_MISSING`. `table` is the text of `/proc/self/mountinfo`,
 * proc(5).
 */
export function refuseMountsWithin(
  roots: readonly string[],
  table: string = readFileSync('/proc/self/mountinfo', 'utf8'),
): void {
  const points = table.split('\n').map((line) => unescaped(line.split(' ')[4] ?? ''));
  for (const root of roots) {
    const point = points.find((path) => path.startsWith(`${root}/`));
    if (point !== undefined) throw mountWithin(root, point);
  }
}

/** Space, tab, newline and backslash stand as three octal digits. */
function unescaped(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/gu, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}

function mountWithin(root: string, point: string): HoldfastError {
  return new HoldfastError(
    'HF_GUARANTEE_MISSING',
    `${root} cannot be staged, because another file system is mounted in it at ${point} (guarantee: fs.stage)`,
    {
      remedy: `unmount ${point}, or work without --staged`,
      details: { missing: ['fs.stage'], root, point },
    },
  );
}
