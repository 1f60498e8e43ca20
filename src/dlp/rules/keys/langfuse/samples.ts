import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix sk-lf-', text: `sk-lf-${chars('hex', 8, '')}-${chars('hex', 4, '')}-${chars('hex', 4, 'b')}-${chars('hex', 4, 'c')}-${chars('hex', 12, '')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `sk-lf-${'x'.repeat(`${chars('hex', 8, '')}-${chars('hex', 4, '')}-${chars('hex', 4, 'b')}-${chars('hex', 4, 'c')}-${chars('hex', 12, '')}`.length)}` },
    { why: 'it is cut short', text: `sk-lf-${chars('hex', 8, '')}-${chars('hex', 4, '')}-${chars('hex', 4, 'b')}-${chars('hex', 4, 'c')}-${chars('hex', 12, '')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xsk-lf-${chars('hex', 8, '')}-${chars('hex', 4, '')}-${chars('hex', 4, 'b')}-${chars('hex', 4, 'c')}-${chars('hex', 12, '')}` },
  ],
};
