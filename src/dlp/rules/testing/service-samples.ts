import { base64url, chars } from './material.ts';
import type { Samples } from '../types.ts';

export const airtableSamples: Samples = {
  found: [{ why: 'with the prefix pat', text: `pat${chars('base62', 14, '')}.${chars('hex', 64, '')}` }],
  ignored: [
    { why: 'a placeholder', text: `pat${'x'.repeat(`${chars('base62', 14, '')}.${chars('hex', 64, '')}`.length)}` },
    { why: 'it is cut short', text: `pat${chars('base62', 14, '')}.${chars('hex', 64, '')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xpat${chars('base62', 14, '')}.${chars('hex', 64, '')}` },
  ],
};

export const samples: Samples = {
  found: [{ why: 'with the prefix xkeysib-', text: `xkeysib-${chars('hex', 64, '')}-${chars('base62', 16, '')}` }],
  ignored: [
    {
      why: 'a placeholder',
      text: `xkeysib-${'x'.repeat(`${chars('hex', 64, '')}-${chars('base62', 16, '')}`.length)}`,
    },
    { why: 'it is cut short', text: `xkeysib-${chars('hex', 64, '')}-${chars('base62', 16, '')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xxkeysib-${chars('hex', 64, '')}-${chars('base62', 16, '')}` },
  ],
};

export const contentfulSamples: Samples = {
  found: [{ why: 'with the prefix CFPAT-', text: `CFPAT-${chars('base64url', 43, 'CFPAT-')}` }],
  ignored: [
    { why: 'a placeholder', text: `CFPAT-${'x'.repeat(`${chars('base64url', 43, 'CFPAT-')}`.length)}` },
    { why: 'it is cut short', text: `CFPAT-${chars('base64url', 43, 'CFPAT-')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xCFPAT-${chars('base64url', 43, 'CFPAT-')}` },
  ],
};

const tail = `.${chars('base64url', 6)}.${chars('base62', 38)}`;

export const discordSamples: Samples = {
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
  found: [
    {
      why: 'an address',
      before: 'https://',
      text: `discord.com/api/webhooks/1${chars('digits', 18)}/${chars('base64url', 67)}a`,
    },
  ],
  ignored: [
    {
      why: 'without its secret',
      before: 'https://',
      text: `discord.com/api/webhooks/1${chars('digits', 18)}/messages`,
    },
  ],
};

export const easypostSamples: Samples = {
  found: [{ why: 'with the prefix EZAK', text: `EZAK${chars('base62', 54, 'EZAK')}` }],
  ignored: [
    { why: 'a placeholder', text: `EZAK${'x'.repeat(`${chars('base62', 54, 'EZAK')}`.length)}` },
    { why: 'it is cut short', text: `EZAK${chars('base62', 54, 'EZAK')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xEZAK${chars('base62', 54, 'EZAK')}` },
  ],
};

export const figmaSamples: Samples = {
  found: [
    { why: 'with the prefix figd_', text: `figd_${chars('base64url', 40, 'figd_')}` },
    { why: 'with the prefix figoh_', text: `figoh_${chars('base64url', 40, 'figoh_')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `figd_${'x'.repeat(`${chars('base64url', 40, 'figd_')}`.length)}` },
    { why: 'it is cut short', text: `figd_${chars('base64url', 40, 'figd_')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xfigd_${chars('base64url', 40, 'figd_')}` },
  ],
};

export const hubspotSamples: Samples = {
  found: [
    {
      why: 'with the prefix pat-',
      text: `pat-na1-${chars('hex', 8, '')}-${chars('hex', 4, '')}-${chars('hex', 4, 'b')}-${chars('hex', 4, 'c')}-${chars('hex', 12, '')}`,
    },
  ],
  ignored: [
    {
      why: 'a placeholder',
      text: `pat-${'x'.repeat(`na1-${chars('hex', 8, '')}-${chars('hex', 4, '')}-${chars('hex', 4, 'b')}-${chars('hex', 4, 'c')}-${chars('hex', 12, '')}`.length)}`,
    },
    {
      why: 'it is cut short',
      text: `pat-na1-${chars('hex', 8, '')}-${chars('hex', 4, '')}-${chars('hex', 4, 'b')}-${chars('hex', 4, 'c')}-${chars('hex', 12, '')}`.slice(
        0,
        -30,
      ),
    },
    {
      why: 'a word goes on into it',
      text: `xpat-na1-${chars('hex', 8, '')}-${chars('hex', 4, '')}-${chars('hex', 4, 'b')}-${chars('hex', 4, 'c')}-${chars('hex', 12, '')}`,
    },
  ],
};

export const mailgunSamples: Samples = {
  found: [{ why: 'with the prefix key-', text: `key-${chars('hex', 32, 'key-')}` }],
  ignored: [
    { why: 'a placeholder', text: `key-${'x'.repeat(`${chars('hex', 32, 'key-')}`.length)}` },
    { why: 'it is cut short', text: `key-${chars('hex', 32, 'key-')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xkey-${chars('hex', 32, 'key-')}` },
  ],
};

export const notionSamples: Samples = {
  found: [
    { why: 'with the prefix ntn_', text: `ntn_${chars('digits', 11, '')}${chars('base62', 35, '')}` },
    { why: 'with the prefix secret_', text: `secret_${chars('base62', 43, '')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `ntn_${'x'.repeat(`${chars('digits', 11, '')}${chars('base62', 35, '')}`.length)}` },
    { why: 'it is cut short', text: `ntn_${chars('digits', 11, '')}${chars('base62', 35, '')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xntn_${chars('digits', 11, '')}${chars('base62', 35, '')}` },
  ],
};

export const prefectSamples: Samples = {
  found: [
    { why: 'a key of a user', text: `pnu_${chars('base62', 36, 'pnu_')}` },
    { why: 'a key of a service account', text: `pnb_${chars('base62', 36, 'pnb_')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `pnu_${'x'.repeat(36)}` },
    { why: 'it is cut short', text: `pnu_${chars('base62', 36, 'pnu_')}`.slice(0, -6) },
    { why: 'a word goes on into it', text: `xpnu_${chars('base62', 36, 'pnu_')}` },
  ],
};

export const resendSamples: Samples = {
  found: [{ why: 'with the prefix re_', text: `re_${chars('base62', 8, '')}_${chars('base62', 24, '')}` }],
  ignored: [
    { why: 'a placeholder', text: `re_${'x'.repeat(`${chars('base62', 8, '')}_${chars('base62', 24, '')}`.length)}` },
    { why: 'it is cut short', text: `re_${chars('base62', 8, '')}_${chars('base62', 24, '')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xre_${chars('base62', 8, '')}_${chars('base62', 24, '')}` },
  ],
};

export const sendgridSamples: Samples = {
  found: [{ why: 'with the prefix SG.', text: `SG.${chars('base64url', 22, '')}.${chars('base64url', 43, '')}` }],
  ignored: [
    {
      why: 'a placeholder',
      text: `SG.${'x'.repeat(`${chars('base64url', 22, '')}.${chars('base64url', 43, '')}`.length)}`,
    },
    { why: 'it is cut short', text: `SG.${chars('base64url', 22, '')}.${chars('base64url', 43, '')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xSG.${chars('base64url', 22, '')}.${chars('base64url', 43, '')}` },
  ],
};

export const shopifySamples: Samples = {
  found: [
    { why: 'with the prefix shpat_', text: `shpat_${chars('hex', 32, 'shpat_')}` },
    { why: 'with the prefix shpca_', text: `shpca_${chars('hex', 32, 'shpca_')}` },
    { why: 'with the prefix shppa_', text: `shppa_${chars('hex', 32, 'shppa_')}` },
    { why: 'with the prefix shpss_', text: `shpss_${chars('hex', 32, 'shpss_')}` },
    { why: 'with the prefix shptka_', text: `shptka_${chars('hex', 32, 'shptka_')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `shpat_${'x'.repeat(`${chars('hex', 32, 'shpat_')}`.length)}` },
    { why: 'it is cut short', text: `shpat_${chars('hex', 32, 'shpat_')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xshpat_${chars('hex', 32, 'shpat_')}` },
  ],
};

export const slackSamples: Samples = {
  found: [
    {
      why: 'with the prefix xox',
      text: `xoxb-${chars('digits', 12, '')}-${chars('digits', 13, '')}-${chars('base62', 24, '')}`,
    },
    {
      why: 'with the prefix xapp-',
      text: `xapp-1-A${chars('upper-base36', 10, '')}-${chars('digits', 13, '')}-${chars('hex', 64, '')}`,
    },
    {
      why: 'with the prefix hooks.slack.com/',
      text: `hooks.slack.com/services/T${chars('upper-base36', 10, '')}/B${chars('upper-base36', 10, 'b')}/${chars('base62', 24, '')}`,
    },
  ],
  ignored: [
    {
      why: 'a placeholder',
      text: `xox${'x'.repeat(`b-${chars('digits', 12, '')}-${chars('digits', 13, '')}-${chars('base62', 24, '')}`.length)}`,
    },
    {
      why: 'it is cut short',
      text: `xoxb-${chars('digits', 12, '')}-${chars('digits', 13, '')}-${chars('base62', 24, '')}`.slice(0, 20),
    },
    {
      why: 'a word goes on into it',
      text: `xxoxb-${chars('digits', 12, '')}-${chars('digits', 13, '')}-${chars('base62', 24, '')}`,
    },
  ],
};

export const squareSamples: Samples = {
  found: [
    { why: 'with the prefix sq0atp-', text: `sq0atp-${chars('base64url', 22, 'sq0atp-')}` },
    { why: 'with the prefix sq0csp-', text: `sq0csp-${chars('base64url', 43, 'sq0csp-')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `sq0atp-${'x'.repeat(`${chars('base64url', 22, 'sq0atp-')}`.length)}` },
    { why: 'it is cut short', text: `sq0atp-${chars('base64url', 22, 'sq0atp-')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xsq0atp-${chars('base64url', 22, 'sq0atp-')}` },
  ],
};

export const stripeSamples: Samples = {
  found: [
    { why: 'with the prefix sk_live_', text: `sk_live_${chars('base62', 24, 'sk_live_')}` },
    { why: 'with the prefix rk_live_', text: `rk_live_${chars('base62', 99, 'rk_live_')}` },
    { why: 'with the prefix whsec_', text: `whsec_${chars('base64', 32, 'whsec_')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `sk_live_${'x'.repeat(`${chars('base62', 24, 'sk_live_')}`.length)}` },
    { why: 'it is cut short', text: `sk_live_${chars('base62', 24, 'sk_live_')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xsk_live_${chars('base62', 24, 'sk_live_')}` },
  ],
};

const secret = `AA${chars('base64url', 33)}`;

export const telegramSamples: Samples = {
  found: [
    { why: 'of a new bot', text: `7${chars('digits', 9)}:${secret}` },
    { why: 'of an old bot', text: `1${chars('digits', 8)}:${secret}` },
    {
      why: 'in the address of the interface',
      before: 'https://api.telegram.org/bot',
      text: `7${chars('digits', 9)}:${secret}`,
      after: '/getMe',
    },
  ],
  ignored: [
    { why: 'no number', text: `bot:${secret}` },
    { why: 'too long a number', text: `1234567890123:${secret}` },
    { why: 'a placeholder', text: `7${chars('digits', 9)}:AA${'x'.repeat(33)}` },
  ],
};

export const twilioSamples: Samples = {
  found: [{ why: 'with the prefix SK', text: `SK${chars('hex', 32, 'SK')}` }],
  ignored: [
    { why: 'a placeholder', text: `SK${'x'.repeat(`${chars('hex', 32, 'SK')}`.length)}` },
    { why: 'it is cut short', text: `SK${chars('hex', 32, 'SK')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xSK${chars('hex', 32, 'SK')}` },
  ],
};
