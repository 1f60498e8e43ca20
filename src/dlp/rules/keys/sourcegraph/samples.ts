import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix sgp_', text: `sgp_${chars('hex', 16, '')}_${chars('hex', 40, '')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `sgp_${'x'.repeat(`${chars('hex', 16, '')}_${chars('hex', 40, '')}`.length)}` },
    { why: 'it is cut short', text: `sgp_${chars('hex', 16, '')}_${chars('hex', 40, '')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xsgp_${chars('hex', 16, '')}_${chars('hex', 40, '')}` },
  ],
};
