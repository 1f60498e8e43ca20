import type { CoveredFile } from '../aftermath/covered.ts';

/** What a person reads when the command has ended. */
export function coveredLine({ path, effect, change }: CoveredFile): string {
  const did = change === 'replaced' ? 'replaced' : 'made';
  const is = effect === 'hidden' ? 'hid it from the command' : 'made it read-only for the command';
  return `holdfast: a program outside ${did} ${path} while the command ran; holdfast ${is} within milliseconds`;
}
