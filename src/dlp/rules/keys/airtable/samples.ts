import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix pat', text: `pat${chars('base62', 14, '')}.${chars('hex', 64, '')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `pat${'x'.repeat(`${chars('base62', 14, '')}.${chars('hex', 64, '')}`.length)}` },
    { why: 'it is cut short', text: `pat${chars('base62', 14, '')}.${chars('hex', 64, '')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xpat${chars('base62', 14, '')}.${chars('hex', 64, '')}` },
  ],
};
