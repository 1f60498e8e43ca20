import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

const secret = `AA${chars('base64url', 33)}`;

export const samples: Samples = {
  found: [
    { why: 'of a new bot', text: `7${chars('digits', 9)}:${secret}` },
    { why: 'of an old bot', text: `1${chars('digits', 8)}:${secret}` },
    { why: 'in the address of the interface', before: 'https://api.telegram.org/bot', text: `7${chars('digits', 9)}:${secret}`, after: '/getMe' },
  ],
  ignored: [
    { why: 'no number', text: `bot:${secret}` },
    { why: 'too long a number', text: `1234567890123:${secret}` },
    { why: 'a placeholder', text: `7${chars('digits', 9)}:AA${'x'.repeat(33)}` },
  ],
};
