import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix CFPAT-', text: `CFPAT-${chars('base64url', 43, 'CFPAT-')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `CFPAT-${'x'.repeat(`${chars('base64url', 43, 'CFPAT-')}`.length)}` },
    { why: 'it is cut short', text: `CFPAT-${chars('base64url', 43, 'CFPAT-')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xCFPAT-${chars('base64url', 43, 'CFPAT-')}` },
  ],
};
