import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix dt0c01.', text: `dt0c01.${chars('upper-base36', 24, '')}.${chars('upper-base36', 64, '')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `dt0c01.${'x'.repeat(`${chars('upper-base36', 24, '')}.${chars('upper-base36', 64, '')}`.length)}` },
    { why: 'it is cut short', text: `dt0c01.${chars('upper-base36', 24, '')}.${chars('upper-base36', 64, '')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xdt0c01.${chars('upper-base36', 24, '')}.${chars('upper-base36', 64, '')}` },
  ],
};
