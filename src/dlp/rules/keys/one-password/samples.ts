import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix ops_', text: `ops_eyJ${chars('base64', 300, '')}` },
    { why: 'with the prefix A3-', text: `A3-${chars('base32', 6, '')}-${chars('base32', 6, 'b')}-${chars('base32', 5, '')}-${chars('base32', 5, 'b')}-${chars('base32', 5, 'c')}-${chars('base32', 5, 'd')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `ops_${'x'.repeat(`eyJ${chars('base64', 300, '')}`.length)}` },
    { why: 'it is cut short', text: `ops_eyJ${chars('base64', 300, '')}`.slice(0, 30) },
    { why: 'a word goes on into it', text: `xops_eyJ${chars('base64', 300, '')}` },
  ],
};
