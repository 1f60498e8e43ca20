import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix AKIA', text: `AKIA${chars('base32', 16, 'AKIA')}` },
    { why: 'with the prefix ASIA', text: `ASIA${chars('base32', 16, 'ASIA')}` },
    { why: 'with the prefix ABIA', text: `ABIA${chars('base32', 16, 'ABIA')}` },
    { why: 'with the prefix ACCA', text: `ACCA${chars('base32', 16, 'ACCA')}` },
    { why: 'with the prefix ABSK', text: `ABSK${chars('base64', 128, '')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `AKIA${'x'.repeat(`${chars('base32', 16, 'AKIA')}`.length)}` },
    { why: 'it is cut short', text: `AKIA${chars('base32', 16, 'AKIA')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xAKIA${chars('base32', 16, 'AKIA')}` },
  ],
};
