import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix pul-', text: `pul-${chars('hex', 40, 'pul-')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `pul-${'x'.repeat(`${chars('hex', 40, 'pul-')}`.length)}` },
    { why: 'it is cut short', text: `pul-${chars('hex', 40, 'pul-')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xpul-${chars('hex', 40, 'pul-')}` },
  ],
};
