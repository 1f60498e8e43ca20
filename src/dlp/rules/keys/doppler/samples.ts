import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix dp.', text: `dp.pt.${chars('base62', 43, '')}` },
    { why: 'with the prefix dp.st.', text: `dp.st.prd.${chars('base62', 40, '')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `dp.${'x'.repeat(`pt.${chars('base62', 43, '')}`.length)}` },
    { why: 'it is cut short', text: `dp.pt.${chars('base62', 43, '')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xdp.pt.${chars('base62', 43, '')}` },
  ],
};
