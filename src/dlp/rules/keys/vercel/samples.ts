import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix vcp_', text: `vcp_${chars('base62', 24, 'vcp_')}` },
    { why: 'with the prefix vci_', text: `vci_${chars('base62', 24, 'vci_')}` },
    { why: 'with the prefix vca_', text: `vca_${chars('base62', 24, 'vca_')}` },
    { why: 'with the prefix vcr_', text: `vcr_${chars('base62', 24, 'vcr_')}` },
    { why: 'with the prefix vck_', text: `vck_${chars('base62', 24, 'vck_')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `vcp_${'x'.repeat(`${chars('base62', 24, 'vcp_')}`.length)}` },
    { why: 'it is cut short', text: `vcp_${chars('base62', 24, 'vcp_')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xvcp_${chars('base62', 24, 'vcp_')}` },
  ],
};
