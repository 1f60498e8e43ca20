import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix r8_', text: `r8_${chars('base62', 37, 'r8_')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `r8_${'x'.repeat(`${chars('base62', 37, 'r8_')}`.length)}` },
    { why: 'it is cut short', text: `r8_${chars('base62', 37, 'r8_')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xr8_${chars('base62', 37, 'r8_')}` },
  ],
};
