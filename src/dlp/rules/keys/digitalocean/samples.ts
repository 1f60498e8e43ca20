import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix dop_v1_', text: `dop_v1_${chars('hex', 64, 'dop_v1_')}` },
    { why: 'with the prefix doo_v1_', text: `doo_v1_${chars('hex', 64, 'doo_v1_')}` },
    { why: 'with the prefix dor_v1_', text: `dor_v1_${chars('hex', 64, 'dor_v1_')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `dop_v1_${'x'.repeat(`${chars('hex', 64, 'dop_v1_')}`.length)}` },
    { why: 'it is cut short', text: `dop_v1_${chars('hex', 64, 'dop_v1_')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xdop_v1_${chars('hex', 64, 'dop_v1_')}` },
  ],
};
