import { expect, test } from 'vitest';
import { Lead } from './lead.ts';

test('a lead is the first 256 characters, however long the text is and in whatever pieces it came', () => {
  const text = Array.from({ length: 1000 }, (_, index) => String.fromCharCode(0x4e00 + index)).join('');
  for (const length of [1, 100, 255, 256, 257, 1000]) {
    const lead = new Lead();
    for (let at = 0; at < text.length; at += length) lead.add(text, at, Math.min(at + length, text.length));
    expect([lead.before(0), lead.before(900), lead.before(1000), lead.before(2000)]).toEqual([
      text.slice(0, 256),
      text.slice(0, 100),
      '',
      '',
    ]);
    lead.begin();
    expect(lead.before(0)).toBe('');
  }
});
