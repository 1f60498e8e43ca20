import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix dckr_pat_', text: `dckr_pat_${chars('base64url', 27, 'dckr_pat_')}` },
    { why: 'with the prefix dckr_oat_', text: `dckr_oat_${chars('base64url', 32, 'dckr_oat_')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `dckr_pat_${'x'.repeat(`${chars('base64url', 27, 'dckr_pat_')}`.length)}` },
    { why: 'it is cut short', text: `dckr_pat_${chars('base64url', 27, 'dckr_pat_')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xdckr_pat_${chars('base64url', 27, 'dckr_pat_')}` },
  ],
};
