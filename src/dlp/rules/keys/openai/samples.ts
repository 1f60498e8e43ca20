import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix sk-', text: `sk-proj-${chars('base62', 74, '')}T3BlbkFJ${chars('base62', 74, '')}` },
    { why: 'with the prefix sk-', text: `sk-${chars('base62', 20, '')}T3BlbkFJ${chars('base62', 20, 'b')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `sk-${'x'.repeat(`proj-${chars('base62', 74, '')}T3BlbkFJ${chars('base62', 74, '')}`.length)}` },
    { why: 'it is cut short', text: `sk-proj-${chars('base62', 74, '')}T3BlbkFJ${chars('base62', 74, '')}`.slice(0, 30) },
    { why: 'a word goes on into it', text: `xsk-proj-${chars('base62', 74, '')}T3BlbkFJ${chars('base62', 74, '')}` },
  ],
};
