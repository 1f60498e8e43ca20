import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix hvs.', text: `hvs.${chars('base64url', 90, 'hvs.')}` },
    { why: 'with the prefix hvb.', text: `hvb.${chars('base64url', 138, 'hvb.')}` },
    { why: 'with the prefix hvr.', text: `hvr.${chars('base64url', 90, 'hvr.')}` },
    { why: 'with the prefix hvs.', text: `hvs.${chars('base62', 24, '')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `hvs.${'x'.repeat(`${chars('base64url', 90, 'hvs.')}`.length)}` },
    { why: 'it is cut short', text: `hvs.${chars('base64url', 90, 'hvs.')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xhvs.${chars('base64url', 90, 'hvs.')}` },
  ],
};
