import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix gsk_', text: `gsk_${chars('base62', 52, 'gsk_')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `gsk_${'x'.repeat(`${chars('base62', 52, 'gsk_')}`.length)}` },
    { why: 'it is cut short', text: `gsk_${chars('base62', 52, 'gsk_')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xgsk_${chars('base62', 52, 'gsk_')}` },
  ],
};
