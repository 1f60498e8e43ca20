import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix cfk_', text: `cfk_${chars('base62', 40, '')}${chars('hex', 8, '')}` },
    { why: 'with the prefix cfut_', text: `cfut_${chars('base62', 40, '')}${chars('hex', 8, '')}` },
    { why: 'with the prefix cfat_', text: `cfat_${chars('base62', 40, '')}${chars('hex', 8, '')}` },
    { why: 'with the prefix v1.0-', text: `v1.0-${chars('hex', 24, '')}-${chars('hex', 146, '')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `cfk_${'x'.repeat(`${chars('base62', 40, '')}${chars('hex', 8, '')}`.length)}` },
    { why: 'it is cut short', text: `cfk_${chars('base62', 40, '')}${chars('hex', 8, '')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xcfk_${chars('base62', 40, '')}${chars('hex', 8, '')}` },
  ],
};
