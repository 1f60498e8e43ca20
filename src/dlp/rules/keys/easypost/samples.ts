import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix EZAK', text: `EZAK${chars('base62', 54, 'EZAK')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `EZAK${'x'.repeat(`${chars('base62', 54, 'EZAK')}`.length)}` },
    { why: 'it is cut short', text: `EZAK${chars('base62', 54, 'EZAK')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xEZAK${chars('base62', 54, 'EZAK')}` },
  ],
};
