import { expect, test } from 'vitest';
import { fieldEditors } from './field-editors.ts';

test('editors are made once, of the first 16 sets of fields: a hostile answer has others with every event', () => {
  const editorFor = fieldEditors();
  const names = Array.from({ length: 18 }, (_, index) => `choices.${index}.text`);
  const first = names.map((name) => editorFor([name]));
  const isKept = names.map((name, index) => editorFor([name]) === first[index]);
  expect(isKept).toEqual(names.map((_, index) => index < 16));
});
