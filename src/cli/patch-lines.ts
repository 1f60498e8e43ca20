import type { DiffLine } from '../staged/diff/describe-change.ts';
import { hunksBetween } from '../staged/diff/content-diff.ts';
import { visibleText } from '../staged/diff/visible-text.ts';

/** Returns the difference between two contents as a unified diff without names. Hidden characters are made visible. */
export function patchLines(before: Buffer, after: Buffer): readonly DiffLine[] {
  const hunks =
    before.includes(0) || after.includes(0)
      ? undefined
      : hunksBetween(before.toString('latin1'), after.toString('latin1'));
  if (hunks === undefined)
    return [{ kind: 'note', text: `  binary or too different: ${before.length} → ${after.length} bytes` }];
  return hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    { kind: 'place' as const, text: `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@` },
    ...lines.map((line) => ({ kind: kindOf(line), text: visibleText(Buffer.from(line, 'latin1')) })),
  ]);
}

function kindOf(line: string): DiffLine['kind'] {
  if (line.startsWith('+')) return 'added';
  return line.startsWith('-') ? 'removed' : 'context';
}

/** An empty range stands after the line before it. */
function range(start: number, lines: number): string {
  return `${lines === 0 ? start - 1 : start},${lines}`;
}
