import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix HRKU-', text: `HRKU-AA${chars('base64url', 57, '')}x` },
  ],
  ignored: [
    { why: 'a placeholder', text: `HRKU-${'x'.repeat(`AA${chars('base64url', 57, '')}x`.length)}` },
    { why: 'it is cut short', text: `HRKU-AA${chars('base64url', 57, '')}x`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xHRKU-AA${chars('base64url', 57, '')}x` },
  ],
};
