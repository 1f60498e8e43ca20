import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix SK', text: `SK${chars('hex', 32, 'SK')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `SK${'x'.repeat(`${chars('hex', 32, 'SK')}`.length)}` },
    { why: 'it is cut short', text: `SK${chars('hex', 32, 'SK')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xSK${chars('hex', 32, 'SK')}` },
  ],
};
