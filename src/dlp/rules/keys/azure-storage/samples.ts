import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix AccountKey=', text: `AccountKey=${chars('base64', 86, '')}==` },
    { why: 'with the prefix SharedAccessKey=', text: `SharedAccessKey=${chars('base64', 43, '')}=` },
  ],
  ignored: [
    { why: 'a placeholder', text: `AccountKey=${'x'.repeat(`${chars('base64', 86, '')}==`.length)}` },
    { why: 'it is cut short', text: `AccountKey=${chars('base64', 86, '')}==`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xAccountKey=${chars('base64', 86, '')}==` },
  ],
};
