import type { UsageLine } from '../../../usage/types.ts';
import { numberText } from '../../format.ts';

/** Written like costs: `1,200 + ?` if some calls reported no tokens, `?` if none did. */
export function tokenText(
  { calls, failed, untold }: Pick<UsageLine, 'calls' | 'failed' | 'untold'>,
  tokens: number,
  text = numberText,
): string {
  if (untold === 0) return text(tokens);
  return untold + failed >= calls && tokens === 0 ? '?' : `${text(tokens)} + ?`;
}
