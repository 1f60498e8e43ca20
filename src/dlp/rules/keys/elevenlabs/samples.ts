import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix sk_', text: `sk_${chars('hex', 48, 'sk_')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `sk_${'x'.repeat(`${chars('hex', 48, 'sk_')}`.length)}` },
    { why: 'it is cut short', text: `sk_${chars('hex', 48, 'sk_')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xsk_${chars('hex', 48, 'sk_')}` },
  ],
};
