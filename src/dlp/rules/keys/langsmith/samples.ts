import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix lsv2_', text: `lsv2_pt_${chars('hex', 32, '')}_${chars('hex', 10, '')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `lsv2_${'x'.repeat(`pt_${chars('hex', 32, '')}_${chars('hex', 10, '')}`.length)}` },
    { why: 'it is cut short', text: `lsv2_pt_${chars('hex', 32, '')}_${chars('hex', 10, '')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xlsv2_pt_${chars('hex', 32, '')}_${chars('hex', 10, '')}` },
  ],
};
