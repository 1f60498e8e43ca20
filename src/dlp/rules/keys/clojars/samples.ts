import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix CLOJARS_', text: `CLOJARS_${chars('hex', 60, 'CLOJARS_')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `CLOJARS_${'x'.repeat(`${chars('hex', 60, 'CLOJARS_')}`.length)}` },
    { why: 'it is cut short', text: `CLOJARS_${chars('hex', 60, 'CLOJARS_')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xCLOJARS_${chars('hex', 60, 'CLOJARS_')}` },
  ],
};
