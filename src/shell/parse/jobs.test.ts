import { describe, expect, test } from 'vitest';
import { parseScript } from './parse-script.ts';

const goOn = (text: string): readonly string[] =>
  parseScript(text).invocations.flatMap(({ argv: [first], goesOn }) =>
    goesOn === true && first?.kind === 'static' ? [first.value] : [],
  );

describe('a job for which the text does not wait goes on', () => {
  test.each([
    ['sleep 9 &', ['sleep']],
    ['(sleep 9 &)', ['sleep']],
    ['(sleep 9 &); wait', ['sleep']],
    ['wait; sleep 9 &', ['sleep']],
    ['sleep 9 & ls & wait $!', ['sleep', 'ls']],
    ['sleep 9 & if ls; then wait; fi', ['sleep']],
    ['sleep 9 & ls && wait', ['sleep']],
    ['tail -f a | grep b & pwd', ['tail', 'grep']],
    ['{ sleep 9 & wait; } &', ['wait']],
    ['coproc cat', ['cat']],
    ['sleep 9 & wait 1', ['sleep']],
    ['sleep 9 & wait < /nowhere', ['sleep']],
    ['wait() { :; }; sleep 9 & wait', ['sleep']],
    ['sleep 9 & exit; wait', ['sleep']],
    ['sleep 9 & exec true; wait', ['sleep']],
    ['sleep 9 & command exit; wait', ['sleep']],
    ['sleep 9 & set -e; false; wait', ['sleep']],
    ['set -e; sleep 9 & false; wait', ['sleep']],
    ['sleep 9 & disown; wait', ['sleep']],
    ['sleep 9 & kill $$; wait', ['sleep']],
    ['sleep 9 & echo ${x:?}; wait', ['sleep']],
    ['sleep 9 & echo $((1/0)); wait', ['sleep']],
    ['for f in a b; do sleep $f & done; wait $!', ['sleep']],
    ['f() { sleep 9 & }; f', ['sleep']],
  ])('%s', (text, names) => {
    expect(goOn(text)).toEqual(names);
  });
});

test.each([
  'ls',
  'sleep 9 & wait',
  'sleep 9 & wait $!',
  'sleep 9 & wait "$!"',
  'sleep 9 & wait %1',
  '(sleep 9 & wait)',
  'for f in a b; do cat $f & done; wait',
])('nothing of `%s` goes on', (text) => {
  expect(goOn(text)).toEqual([]);
});
