import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix NRAK-', text: `NRAK-${chars('upper-base36', 27, 'NRAK-')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `NRAK-${'x'.repeat(`${chars('upper-base36', 27, 'NRAK-')}`.length)}` },
    { why: 'it is cut short', text: `NRAK-${chars('upper-base36', 27, 'NRAK-')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xNRAK-${chars('upper-base36', 27, 'NRAK-')}` },
  ],
};
