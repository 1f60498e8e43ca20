import { describe, expect, test } from 'vitest';
import { createToolCallGatherer, toolCallLimits } from './meter.ts';

test('pieces of several calls at once', () => {
  const tools = createToolCallGatherer();
  tools.begin('a', { name: 'read', id: '1' });
  tools.begin('b', { name: 'write' });
  tools.add('a', '{"x"');
  tools.add('b', '{}');
  tools.add('a', ':1}');
  tools.add('c', 'of nobody');
  tools.begin('b', { name: 'other', id: '2' });
  expect(tools.calls()).toEqual([
    { name: 'read', id: '1', arguments: '{"x":1}' },
    { name: 'write', id: '2', arguments: '{}' },
  ]);
});

test('a whole value is instead of the pieces', () => {
  const tools = createToolCallGatherer();
  tools.begin('a', {});
  tools.add('a', '{"x"');
  tools.set('a', { x: 1 });
  tools.set('b', { y: 1 });
  tools.begin('a', { name: 'late' });
  expect(tools.calls()).toEqual([{ name: 'late', arguments: '{"x":1}' }]);
});

describe('bounds', () => {
  test('calls', () => {
    const tools = createToolCallGatherer();
    for (let index = 0; index < 10_000; index++)
      tools.begin(String(index), { name: 'x'.repeat(5000), id: 'y'.repeat(5000) });
    expect(tools.calls()).toHaveLength(toolCallLimits.calls);
    expect(tools.calls()[0]).toEqual({ name: 'x'.repeat(256), id: 'y'.repeat(256), arguments: '' });
  });

  test('cover the arguments of all calls together, with a mark at the cut', () => {
    const tools = createToolCallGatherer();
    tools.begin('a', { name: 'a' });
    tools.begin('b', { name: 'b' });
    tools.add('a', 'x'.repeat(toolCallLimits.arguments - 3));
    tools.add('b', '12345');
    tools.add('b', '6');
    const [first, second] = tools.calls();
    expect(first).not.toHaveProperty('cut');
    expect(second).toEqual({ name: 'b', arguments: '123', cut: true });
  });

  test('the same value again takes no more room', () => {
    const tools = createToolCallGatherer();
    tools.begin('a', { name: 'a' });
    const value = 'x'.repeat(toolCallLimits.arguments - 10);
    for (let time = 0; time < 5; time++) tools.set('a', value);
    expect(tools.calls()).toEqual([{ name: 'a', arguments: value }]);
  });

  test('a value too deep to be written', () => {
    const tools = createToolCallGatherer();
    tools.begin('a', { name: 'a' });
    tools.set('a', JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)));
    expect(tools.calls()).toHaveLength(1);
  });
});
