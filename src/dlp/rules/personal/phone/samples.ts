import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'of Germany', before: 'Telefon: ', text: '+49 30 4417 2268' },
    { why: 'in one run', before: 'tel:', text: '+4930441722680' },
    { why: 'of North America', before: 'Call me: ', text: '(415) 672-4417' },
    { why: 'of North America with dots', before: 'mobile ', text: '415.672.4417' },
    { why: 'of North America with its prefix', before: 'phone = "', text: '+1 415-672-4417', after: '"' },
    { why: 'within a country', before: 'Tel. ', text: '030 / 4417 2268' },
  ],
  ignored: [
    { why: 'no word', text: '+49 30 4417 2268' },
    { why: 'a number', before: 'phone ', text: '9007199254740992' },
    { why: 'of stories', before: 'phone ', text: '(415) 555-0142' },
    { why: 'a version', before: 'phone app ', text: '1.22.333' },
    { why: 'a sum', before: 'cell ', text: 'x+4930441722680' },
    { why: 'a date', before: 'call at ', text: '2026-11-22' },
  ],
};
