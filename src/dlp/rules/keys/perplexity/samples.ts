import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix pplx-', text: `pplx-${chars('base62', 48, 'pplx-')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `pplx-${'x'.repeat(`${chars('base62', 48, 'pplx-')}`.length)}` },
    { why: 'it is cut short', text: `pplx-${chars('base62', 48, 'pplx-')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xpplx-${chars('base62', 48, 'pplx-')}` },
  ],
};
