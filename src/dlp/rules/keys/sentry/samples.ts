import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix sntrys_', text: `sntrys_eyJ${chars('base64', 120, '')}_${chars('base64', 43, 'b')}` },
    { why: 'with the prefix sntryu_', text: `sntryu_${chars('hex', 64, 'sntryu_')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `sntrys_${'x'.repeat(`eyJ${chars('base64', 120, '')}_${chars('base64', 43, 'b')}`.length)}` },
    { why: 'it is cut short', text: `sntrys_eyJ${chars('base64', 120, '')}_${chars('base64', 43, 'b')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xsntrys_eyJ${chars('base64', 120, '')}_${chars('base64', 43, 'b')}` },
  ],
};
