import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix figd_', text: `figd_${chars('base64url', 40, 'figd_')}` },
    { why: 'with the prefix figoh_', text: `figoh_${chars('base64url', 40, 'figoh_')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `figd_${'x'.repeat(`${chars('base64url', 40, 'figd_')}`.length)}` },
    { why: 'it is cut short', text: `figd_${chars('base64url', 40, 'figd_')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xfigd_${chars('base64url', 40, 'figd_')}` },
  ],
};
