import { expect, test } from 'vitest';
import { ContentRefused, HeldContents, HeldRoom, mostHeld } from './held-content.ts';

const most = mostHeld / 2;

test('all requests of a session share its room, and return it once', () => {
  const session = new HeldContents(new HeldRoom());
  const [one, other] = [session.open(), session.open()];
  one.add(most - 10);
  other.add(10);
  expect(() => other.add(1)).toThrow(ContentRefused);
  one.release();
  one.release();
  expect(() => other.add(most - 9)).toThrow(ContentRefused);
  other.add(most - 10);
  other.release();
  one.add(most);
  one.release();
});

/** Attack: three hostile boxes of a supervisor leave no room for the calls of a fourth. */
test('a session leaves half of the room to each later one', () => {
  const room = new HeldRoom();
  const held = [1, 2, 3].map((power) => {
    const content = new HeldContents(room).open();
    content.add(mostHeld / 2 ** power);
    expect(() => content.add(1)).toThrow(ContentRefused);
    return content;
  });
  const later = new HeldContents(room).open();
  later.add(mostHeld / 16);
  for (const content of [...held, later]) content.release();
});
