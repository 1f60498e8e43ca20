import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix sk_live_', text: `sk_live_${chars('base62', 24, 'sk_live_')}` },
    { why: 'with the prefix rk_live_', text: `rk_live_${chars('base62', 99, 'rk_live_')}` },
    { why: 'with the prefix whsec_', text: `whsec_${chars('base64', 32, 'whsec_')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `sk_live_${'x'.repeat(`${chars('base62', 24, 'sk_live_')}`.length)}` },
    { why: 'it is cut short', text: `sk_live_${chars('base62', 24, 'sk_live_')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xsk_live_${chars('base62', 24, 'sk_live_')}` },
  ],
};
