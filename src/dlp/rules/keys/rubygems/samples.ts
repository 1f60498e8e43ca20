import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix rubygems_', text: `rubygems_${chars('hex', 48, 'rubygems_')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `rubygems_${'x'.repeat(`${chars('hex', 48, 'rubygems_')}`.length)}` },
    { why: 'it is cut short', text: `rubygems_${chars('hex', 48, 'rubygems_')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xrubygems_${chars('hex', 48, 'rubygems_')}` },
  ],
};
