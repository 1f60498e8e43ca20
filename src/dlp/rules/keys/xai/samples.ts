import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix xai-', text: `xai-${chars('base62', 80, 'xai-')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `xai-${'x'.repeat(`${chars('base62', 80, 'xai-')}`.length)}` },
    { why: 'it is cut short', text: `xai-${chars('base62', 80, 'xai-')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xxai-${chars('base62', 80, 'xai-')}` },
  ],
};
