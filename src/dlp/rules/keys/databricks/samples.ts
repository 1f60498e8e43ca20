import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix dapi', text: `dapi${chars('hex', 32, '')}-2` },
  ],
  ignored: [
    { why: 'a placeholder', text: `dapi${'x'.repeat(`${chars('hex', 32, '')}-2`.length)}` },
    { why: 'it is cut short', text: `dapi${chars('hex', 32, '')}-2`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xdapi${chars('hex', 32, '')}-2` },
  ],
};
