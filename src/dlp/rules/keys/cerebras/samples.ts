import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix csk-', text: `csk-${chars('lower-base36', 48, 'csk-')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `csk-${'x'.repeat(`${chars('lower-base36', 48, 'csk-')}`.length)}` },
    { why: 'it is cut short', text: `csk-${chars('lower-base36', 48, 'csk-')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xcsk-${chars('lower-base36', 48, 'csk-')}` },
  ],
};
