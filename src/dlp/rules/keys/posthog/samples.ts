import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix phx_', text: `phx_${chars('base62', 47, 'phx_')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `phx_${'x'.repeat(`${chars('base62', 47, 'phx_')}`.length)}` },
    { why: 'it is cut short', text: `phx_${chars('base62', 47, 'phx_')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xphx_${chars('base62', 47, 'phx_')}` },
  ],
};
