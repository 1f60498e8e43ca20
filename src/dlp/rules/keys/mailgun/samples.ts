import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix key-', text: `key-${chars('hex', 32, 'key-')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `key-${'x'.repeat(`${chars('hex', 32, 'key-')}`.length)}` },
    { why: 'it is cut short', text: `key-${chars('hex', 32, 'key-')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xkey-${chars('hex', 32, 'key-')}` },
  ],
};
