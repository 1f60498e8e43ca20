import { chars, withCrc32 } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix npm_ and its checksum', text: `npm_${withCrc32(chars('base62', 30, 'npm_'))}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `npm_${'x'.repeat(`${withCrc32(chars('base62', 30, 'npm_'))}`.length)}` },
    { why: 'it is cut short', text: `npm_${withCrc32(chars('base62', 30, 'npm_'))}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xnpm_${withCrc32(chars('base62', 30, 'npm_'))}` },
    { why: 'its checksum is another one', text: `npm_${chars('base62', 36)}` },
  ],
};
