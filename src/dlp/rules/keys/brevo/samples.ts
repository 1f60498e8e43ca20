import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix xkeysib-', text: `xkeysib-${chars('hex', 64, '')}-${chars('base62', 16, '')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `xkeysib-${'x'.repeat(`${chars('hex', 64, '')}-${chars('base62', 16, '')}`.length)}` },
    { why: 'it is cut short', text: `xkeysib-${chars('hex', 64, '')}-${chars('base62', 16, '')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xxkeysib-${chars('hex', 64, '')}-${chars('base62', 16, '')}` },
  ],
};
