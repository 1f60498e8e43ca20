import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix pat-', text: `pat-na1-${chars('hex', 8, '')}-${chars('hex', 4, '')}-${chars('hex', 4, 'b')}-${chars('hex', 4, 'c')}-${chars('hex', 12, '')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `pat-${'x'.repeat(`na1-${chars('hex', 8, '')}-${chars('hex', 4, '')}-${chars('hex', 4, 'b')}-${chars('hex', 4, 'c')}-${chars('hex', 12, '')}`.length)}` },
    { why: 'it is cut short', text: `pat-na1-${chars('hex', 8, '')}-${chars('hex', 4, '')}-${chars('hex', 4, 'b')}-${chars('hex', 4, 'c')}-${chars('hex', 12, '')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xpat-na1-${chars('hex', 8, '')}-${chars('hex', 4, '')}-${chars('hex', 4, 'b')}-${chars('hex', 4, 'c')}-${chars('hex', 12, '')}` },
  ],
};
