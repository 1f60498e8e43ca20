import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix hf_', text: `hf_${chars('base62', 34, 'hf_')}` },
    { why: 'with the prefix api_org_', text: `api_org_${chars('letters', 34, 'api_org_')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `hf_${'x'.repeat(`${chars('base62', 34, 'hf_')}`.length)}` },
    { why: 'it is cut short', text: `hf_${chars('base62', 34, 'hf_')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xhf_${chars('base62', 34, 'hf_')}` },
  ],
};
