import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix bkua_', text: `bkua_${chars('hex', 40, 'bkua_')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `bkua_${'x'.repeat(`${chars('hex', 40, 'bkua_')}`.length)}` },
    { why: 'it is cut short', text: `bkua_${chars('hex', 40, 'bkua_')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xbkua_${chars('hex', 40, 'bkua_')}` },
  ],
};
