import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix SG.', text: `SG.${chars('base64url', 22, '')}.${chars('base64url', 43, '')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `SG.${'x'.repeat(`${chars('base64url', 22, '')}.${chars('base64url', 43, '')}`.length)}` },
    { why: 'it is cut short', text: `SG.${chars('base64url', 22, '')}.${chars('base64url', 43, '')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xSG.${chars('base64url', 22, '')}.${chars('base64url', 43, '')}` },
  ],
};
