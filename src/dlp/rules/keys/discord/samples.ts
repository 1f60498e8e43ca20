import { base64url, chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

const tail = `.${chars('base64url', 6)}.${chars('base62', 38)}`;

export const samples: Samples = {
  found: [
    { why: 'of 18 digits', text: `${base64url(`1${chars('digits', 17)}`)}${tail}` },
    { why: 'of 19 digits', text: `${base64url(`1${chars('digits', 18)}`)}${tail}` },
  ],
  ignored: [
    { why: 'no number stands in its first part', text: `MTIz${base64url('no number at all')}${tail}` },
    { why: 'it is cut short', text: `${base64url(`1${chars('digits', 18)}`)}${tail.slice(0, 20)}` },
  ],
};

export const webhookSamples: Samples = {
  found: [{ why: 'an address', before: 'https://', text: `discord.com/api/webhooks/1${chars('digits', 18)}/${chars('base64url', 67)}a` }],
  ignored: [{ why: 'without its secret', before: 'https://', text: `discord.com/api/webhooks/1${chars('digits', 18)}/messages` }],
};
