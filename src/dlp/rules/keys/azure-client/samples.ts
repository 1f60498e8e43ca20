import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'of 37 characters', text: `${chars('base62', 3)}8Q~${chars('base64url', 30)}a` },
    { why: 'of 40 characters', text: `${chars('base62', 3)}7Q~${chars('base64url', 33)}a` },
  ],
  ignored: [
    { why: 'a placeholder', text: `abc8Q~${'x'.repeat(31)}` },
    { why: 'it is cut short', text: `${chars('base62', 3)}8Q~${chars('base64url', 20)}a` },
    { why: 'nothing stands before it', text: `8Q~${chars('base64url', 31)}` },
  ],
};
