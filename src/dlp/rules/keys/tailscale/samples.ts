import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix tskey-', text: `tskey-auth-${chars('base62', 17, '')}-${chars('base62', 32, '')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `tskey-${'x'.repeat(`auth-${chars('base62', 17, '')}-${chars('base62', 32, '')}`.length)}` },
    { why: 'it is cut short', text: `tskey-auth-${chars('base62', 17, '')}-${chars('base62', 32, '')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xtskey-auth-${chars('base62', 17, '')}-${chars('base62', 32, '')}` },
  ],
};
