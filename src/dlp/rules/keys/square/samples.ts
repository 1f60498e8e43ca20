import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix sq0atp-', text: `sq0atp-${chars('base64url', 22, 'sq0atp-')}` },
    { why: 'with the prefix sq0csp-', text: `sq0csp-${chars('base64url', 43, 'sq0csp-')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `sq0atp-${'x'.repeat(`${chars('base64url', 22, 'sq0atp-')}`.length)}` },
    { why: 'it is cut short', text: `sq0atp-${chars('base64url', 22, 'sq0atp-')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xsq0atp-${chars('base64url', 22, 'sq0atp-')}` },
  ],
};
