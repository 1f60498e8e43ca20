import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix pscale_', text: `pscale_pw_${chars('base62', 43, '')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `pscale_${'x'.repeat(`pw_${chars('base62', 43, '')}`.length)}` },
    { why: 'it is cut short', text: `pscale_pw_${chars('base62', 43, '')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xpscale_pw_${chars('base62', 43, '')}` },
  ],
};
