import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix nfp_', text: `nfp_${chars('base62', 36, 'nfp_')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `nfp_${'x'.repeat(`${chars('base62', 36, 'nfp_')}`.length)}` },
    { why: 'it is cut short', text: `nfp_${chars('base62', 36, 'nfp_')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xnfp_${chars('base62', 36, 'nfp_')}` },
  ],
};
