import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix re_', text: `re_${chars('base62', 8, '')}_${chars('base62', 24, '')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `re_${'x'.repeat(`${chars('base62', 8, '')}_${chars('base62', 24, '')}`.length)}` },
    { why: 'it is cut short', text: `re_${chars('base62', 8, '')}_${chars('base62', 24, '')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xre_${chars('base62', 8, '')}_${chars('base62', 24, '')}` },
  ],
};
