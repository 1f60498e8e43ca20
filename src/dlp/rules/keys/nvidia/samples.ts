import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix nvapi-', text: `nvapi-${chars('base64url', 64, 'nvapi-')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `nvapi-${'x'.repeat(`${chars('base64url', 64, 'nvapi-')}`.length)}` },
    { why: 'it is cut short', text: `nvapi-${chars('base64url', 64, 'nvapi-')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xnvapi-${chars('base64url', 64, 'nvapi-')}` },
  ],
};
