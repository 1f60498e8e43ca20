import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix shpat_', text: `shpat_${chars('hex', 32, 'shpat_')}` },
    { why: 'with the prefix shpca_', text: `shpca_${chars('hex', 32, 'shpca_')}` },
    { why: 'with the prefix shppa_', text: `shppa_${chars('hex', 32, 'shppa_')}` },
    { why: 'with the prefix shpss_', text: `shpss_${chars('hex', 32, 'shpss_')}` },
    { why: 'with the prefix shptka_', text: `shptka_${chars('hex', 32, 'shptka_')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `shpat_${'x'.repeat(`${chars('hex', 32, 'shpat_')}`.length)}` },
    { why: 'it is cut short', text: `shpat_${chars('hex', 32, 'shpat_')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xshpat_${chars('hex', 32, 'shpat_')}` },
  ],
};
