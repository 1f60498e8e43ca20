import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix cio', text: `cio${chars('base62', 32, 'cio')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `cio${'x'.repeat(`${chars('base62', 32, 'cio')}`.length)}` },
    { why: 'it is cut short', text: `cio${chars('base62', 32, 'cio')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xcio${chars('base62', 32, 'cio')}` },
  ],
};
