import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix lin_api_', text: `lin_api_${chars('base62', 40, 'lin_api_')}` },
    { why: 'with the prefix lin_oauth_', text: `lin_oauth_${chars('hex', 64, 'lin_oauth_')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `lin_api_${'x'.repeat(`${chars('base62', 40, 'lin_api_')}`.length)}` },
    { why: 'it is cut short', text: `lin_api_${chars('base62', 40, 'lin_api_')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xlin_api_${chars('base62', 40, 'lin_api_')}` },
  ],
};
