import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix tgp_v1_', text: `tgp_v1_${chars('base64url', 43, 'tgp_v1_')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `tgp_v1_${'x'.repeat(`${chars('base64url', 43, 'tgp_v1_')}`.length)}` },
    { why: 'it is cut short', text: `tgp_v1_${chars('base64url', 43, 'tgp_v1_')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xtgp_v1_${chars('base64url', 43, 'tgp_v1_')}` },
  ],
};
