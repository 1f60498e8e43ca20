import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix AIza', text: `AIza${chars('base64url', 35, 'AIza')}` },
    { why: 'with the prefix GOCSPX-', text: `GOCSPX-${chars('base64url', 28, 'GOCSPX-')}` },
    { why: 'with the prefix ya29.', text: `ya29.${chars('base64url', 160, '')}` },
    { why: 'with the prefix 1//', text: `1//0${chars('base64url', 100, '')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `AIza${'x'.repeat(`${chars('base64url', 35, 'AIza')}`.length)}` },
    { why: 'it is cut short', text: `AIza${chars('base64url', 35, 'AIza')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xAIza${chars('base64url', 35, 'AIza')}` },
  ],
};
