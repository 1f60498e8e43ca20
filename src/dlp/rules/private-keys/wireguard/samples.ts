import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

const key = `${chars('base64', 43)}=`;

export const samples: Samples = {
  found: [
    { why: 'of an interface', before: '[Interface]\nPrivateKey = ', text: key },
    { why: 'of two peers', before: 'PresharedKey=', text: key },
  ],
  ignored: [
    { why: 'a public key', before: 'PublicKey = ', text: key },
    { why: 'a placeholder', before: 'PrivateKey = ', text: `${'x'.repeat(43)}=` },
    { why: 'a call in source code', before: 'PrivateKey = ', text: 'loadPrivateKeyFromFile(path)' },
  ],
};
