import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix sbp_', text: `sbp_${chars('hex', 40, 'sbp_')}` },
    { why: 'with the prefix sb_secret_', text: `sb_secret_${chars('base62', 22, '')}_${chars('base62', 8, '')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `sbp_${'x'.repeat(`${chars('hex', 40, 'sbp_')}`.length)}` },
    { why: 'it is cut short', text: `sbp_${chars('hex', 40, 'sbp_')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xsbp_${chars('hex', 40, 'sbp_')}` },
  ],
};
