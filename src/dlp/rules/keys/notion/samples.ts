import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix ntn_', text: `ntn_${chars('digits', 11, '')}${chars('base62', 35, '')}` },
    { why: 'with the prefix secret_', text: `secret_${chars('base62', 43, '')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `ntn_${'x'.repeat(`${chars('digits', 11, '')}${chars('base62', 35, '')}`.length)}` },
    { why: 'it is cut short', text: `ntn_${chars('digits', 11, '')}${chars('base62', 35, '')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xntn_${chars('digits', 11, '')}${chars('base62', 35, '')}` },
  ],
};
