import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix napi_', text: `napi_${chars('lower-base36', 64, 'napi_')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `napi_${'x'.repeat(`${chars('lower-base36', 64, 'napi_')}`.length)}` },
    { why: 'it is cut short', text: `napi_${chars('lower-base36', 64, 'napi_')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xnapi_${chars('lower-base36', 64, 'napi_')}` },
  ],
};
