import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix sk-or-v1-', text: `sk-or-v1-${chars('hex', 64, 'sk-or-v1-')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `sk-or-v1-${'x'.repeat(`${chars('hex', 64, 'sk-or-v1-')}`.length)}` },
    { why: 'it is cut short', text: `sk-or-v1-${chars('hex', 64, 'sk-or-v1-')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xsk-or-v1-${chars('hex', 64, 'sk-or-v1-')}` },
  ],
};
