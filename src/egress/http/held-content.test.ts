import { expect, test } from 'vitest';
import { ContentRefused, HeldContent, mostHeld } from './held-content.ts';

test('all requests share the room, and give it back once', () => {
  const [one, other] = [new HeldContent(), new HeldContent()];
  one.add(mostHeld - 10);
  other.add(10);
  expect(() => other.add(1)).toThrow(ContentRefused);
  one.release();
  one.release();
  expect(() => other.add(mostHeld - 9)).toThrow(ContentRefused);
  other.add(mostHeld - 10);
  other.release();
  one.add(mostHeld);
  one.release();
});
