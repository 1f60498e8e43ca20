import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix fm2_', text: `fm2_${chars('base64', 400, '')}` },
    { why: 'with the prefix fo1_', text: `fo1_${chars('base64url', 43, 'fo1_')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `fm2_${'x'.repeat(`${chars('base64', 400, '')}`.length)}` },
    { why: 'it is cut short', text: `fm2_${chars('base64', 400, '')}`.slice(0, 30) },
    { why: 'a word goes on into it', text: `xfm2_${chars('base64', 400, '')}` },
  ],
};
