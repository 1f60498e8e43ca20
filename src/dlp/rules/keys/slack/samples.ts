import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix xox', text: `xoxb-${chars('digits', 12, '')}-${chars('digits', 13, '')}-${chars('base62', 24, '')}` },
    { why: 'with the prefix xapp-', text: `xapp-1-A${chars('upper-base36', 10, '')}-${chars('digits', 13, '')}-${chars('hex', 64, '')}` },
    { why: 'with the prefix hooks.slack.com/', text: `hooks.slack.com/services/T${chars('upper-base36', 10, '')}/B${chars('upper-base36', 10, 'b')}/${chars('base62', 24, '')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `xox${'x'.repeat(`b-${chars('digits', 12, '')}-${chars('digits', 13, '')}-${chars('base62', 24, '')}`.length)}` },
    { why: 'it is cut short', text: `xoxb-${chars('digits', 12, '')}-${chars('digits', 13, '')}-${chars('base62', 24, '')}`.slice(0, 20) },
    { why: 'a word goes on into it', text: `xxoxb-${chars('digits', 12, '')}-${chars('digits', 13, '')}-${chars('base62', 24, '')}` },
  ],
};
