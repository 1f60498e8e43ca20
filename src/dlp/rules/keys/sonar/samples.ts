import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix squ_', text: `squ_${chars('hex', 40, 'squ_')}` },
    { why: 'with the prefix sqp_', text: `sqp_${chars('hex', 40, 'sqp_')}` },
    { why: 'with the prefix sqa_', text: `sqa_${chars('hex', 40, 'sqa_')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `squ_${'x'.repeat(`${chars('hex', 40, 'squ_')}`.length)}` },
    { why: 'it is cut short', text: `squ_${chars('hex', 40, 'squ_')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xsqu_${chars('hex', 40, 'squ_')}` },
  ],
};
