import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix sk-ant-', text: `sk-ant-api03-${chars('base64url', 93, '')}AA` },
  ],
  ignored: [
    { why: 'a placeholder', text: `sk-ant-${'x'.repeat(`api03-${chars('base64url', 93, '')}AA`.length)}` },
    { why: 'it is cut short', text: `sk-ant-api03-${chars('base64url', 93, '')}AA`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xsk-ant-api03-${chars('base64url', 93, '')}AA` },
  ],
};
