import { bech32Checksum } from '../../lib/bech32.ts';
import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

const data = chars('lower-base36', 200).replaceAll(/[1bio]/gu, '').slice(0, 52);

export const samples: Samples = {
  found: [{ why: 'with its checksum', text: `age-secret-key-1${data}${bech32Checksum('age-secret-key-', data)}`.toUpperCase() }],
  ignored: [
    { why: 'its checksum is another one', text: `age-secret-key-1${data}qqqqqq`.toUpperCase() },
    { why: 'in lower case', text: `age-secret-key-1${data}${bech32Checksum('age-secret-key-', data)}` },
    { why: 'only its beginning', text: 'AGE-SECRET-KEY-1' },
  ],
};
