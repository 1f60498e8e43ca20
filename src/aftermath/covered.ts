import type { CoveredName } from '../backends/backend.ts';
import { pathText } from '../kernel/tree/path-text.ts';

/** A file that a program outside put under a covered name, once or more often, while a command ran. */
export interface CoveredFile {
  readonly path: string;
  readonly effect: CoveredName['effect'];
  readonly change: CoveredName['change'];
  readonly times: number;
}

/** One for each path, in the order in which they came. */
export function coveredFiles(names: readonly CoveredName[]): readonly CoveredFile[] {
  const files = new Map<string, CoveredFile>();
  for (const { path, effect, change } of names) {
    const text = pathText(path);
    const known = files.get(text);
    files.set(text, { path: text, effect, change: known?.change ?? change, times: (known?.times ?? 0) + 1 });
  }
  return [...files.values()];
}

/** For a person, without a line feed. The path may hold anything. */
export function coveredLine({ path, effect, change }: CoveredFile): string {
  const did = change === 'replaced' ? 'replaced' : 'made';
  const is = effect === 'hidden' ? 'hid it from the command' : 'made it read-only for the command';
  return `a program outside ${did} ${path} while the command ran; holdfast ${is} within milliseconds`;
}
