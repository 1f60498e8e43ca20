import { array, assert, constantFrom, integer, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import { TimelineBuilder } from './timeline.ts';
import { lanes, tones } from './types.ts';

test('every entry is in one mark of its lane, which has the gravest tone of them', () => {
  const happening = record({ lane: constantFrom(...lanes), tone: constantFrom(...tones), at: integer({ min: -1e6, max: 1e13 }) });
  assert(
    property(array(happening, { maxLength: 3000 }), (happenings) => {
      const builder = new TimelineBuilder();
      for (const one of happenings) builder.add({ ...one, title: 'x' });
      const { from, to, marks } = builder.build();
      expect(marks.length).toBeLessThanOrEqual(1000);
      for (const lane of lanes) {
        const there = happenings.filter((one) => one.lane === lane);
        const shown = marks.filter((mark) => mark.lane === lane);
        expect(shown.reduce((sum, { entries }) => sum + entries, 0)).toBe(there.length);
        for (const tone of tones.slice(-1)) expect(shown.some((mark) => mark.tone === tone)).toBe(there.some((one) => one.tone === tone));
      }
      if (happenings.length === 0) return;
      expect([from, to]).toEqual([Math.min(...happenings.map(({ at }) => at)), Math.max(...happenings.map(({ at }) => at))]);
    }),
    { numRuns: 100 },
  );
});
