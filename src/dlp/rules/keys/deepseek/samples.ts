import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix sk-', text: `sk-${chars('hex', 32, 'sk-')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `sk-${'x'.repeat(`${chars('hex', 32, 'sk-')}`.length)}` },
    { why: 'it is cut short', text: `sk-${chars('hex', 32, 'sk-')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xsk-${chars('hex', 32, 'sk-')}` },
  ],
};
