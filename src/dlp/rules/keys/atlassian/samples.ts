import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix ATATT3xFfGF0', text: `ATATT3xFfGF0${chars('base64url', 171, '')}=ABCD1234` },
    { why: 'with the prefix ATCTT3xFfGN0', text: `ATCTT3xFfGN0${chars('base64url', 171, '')}=ABCD1234` },
  ],
  ignored: [
    { why: 'a placeholder', text: `ATATT3xFfGF0${'x'.repeat(`${chars('base64url', 171, '')}=ABCD1234`.length)}` },
    { why: 'it is cut short', text: `ATATT3xFfGF0${chars('base64url', 171, '')}=ABCD1234`.slice(0, 30) },
    { why: 'a word goes on into it', text: `xATATT3xFfGF0${chars('base64url', 171, '')}=ABCD1234` },
  ],
};
