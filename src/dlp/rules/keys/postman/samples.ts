import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix PMAK-', text: `PMAK-${chars('hex', 24, '')}-${chars('hex', 34, '')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `PMAK-${'x'.repeat(`${chars('hex', 24, '')}-${chars('hex', 34, '')}`.length)}` },
    { why: 'it is cut short', text: `PMAK-${chars('hex', 24, '')}-${chars('hex', 34, '')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xPMAK-${chars('hex', 24, '')}-${chars('hex', 34, '')}` },
  ],
};
