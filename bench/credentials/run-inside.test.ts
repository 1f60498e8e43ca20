import { describe, expect, test } from 'vitest';
import { figureIn } from './run-inside.ts';

describe('the figure in a program’s output', () => {
  test.each([
    {
      of: 'pgbench',
      printed:
        'number of transactions: 3000/3000\nlatency average = 0.061 ms\ntps = 16393.4 (without initial connection time)\n',
      pattern: /latency average = ([\d.]+) ms/u,
      figure: 0.061,
    },
    {
      of: 'psql',
      printed: 'Timing is on.\nCOPY 300000\nTime: 712.345 ms\n',
      pattern: /COPY \d+\s+Time: ([\d.]+) ms/u,
      figure: 712.345,
    },
    {
      of: 'redis-benchmark',
      printed: '"test","rps"\n"GET","622605.00","0.98"\n',
      pattern: /"GET","([\d.]+)"/u,
      figure: 622_605,
    },
  ])('of $of', ({ printed, pattern, figure }) => {
    expect(figureIn(printed, pattern)).toBe(figure);
  });

  test('is no number if the program prints something else', () => {
    expect(() => figureIn('ERROR: permission denied', /latency average = ([\d.]+) ms/u)).toThrow(
      'there is no figure in: ERROR: permission denied',
    );
  });
});
