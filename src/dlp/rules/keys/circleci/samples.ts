import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix CCIPAT_', text: `CCIPAT_${chars('base62', 22, '')}_${chars('hex', 40, '')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `CCIPAT_${'x'.repeat(`${chars('base62', 22, '')}_${chars('hex', 40, '')}`.length)}` },
    { why: 'it is cut short', text: `CCIPAT_${chars('base62', 22, '')}_${chars('hex', 40, '')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xCCIPAT_${chars('base62', 22, '')}_${chars('hex', 40, '')}` },
  ],
};
