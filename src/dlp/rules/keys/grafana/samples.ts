import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix glsa_', text: `glsa_${chars('base62', 32, '')}_${chars('hex', 8, '')}` },
    { why: 'with the prefix glc_', text: `glc_eyJ${chars('base64', 117, '')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `glsa_${'x'.repeat(`${chars('base62', 32, '')}_${chars('hex', 8, '')}`.length)}` },
    { why: 'it is cut short', text: `glsa_${chars('base62', 32, '')}_${chars('hex', 8, '')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xglsa_${chars('base62', 32, '')}_${chars('hex', 8, '')}` },
  ],
};
