import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchesGlob, matchesModel } from './glob.ts';

describe('a pattern', () => {
  test.each([
    ['*', '', true],
    ['', '', true],
    ['', 'a', false],
    ['a', '', false],
    ['gpt-*', 'gpt-4o', true],
    ['gpt-*', 'gpt-', true],
    ['gpt-*', 'my-gpt-4o', false],
    ['*-mini', 'gpt-4o-mini', true],
    ['*-mini', 'gpt-4o-mini-2024', false],
    ['a*b*c', 'axxbyyc', true],
    ['a*b*c', 'abcbx', false],
    ['a**c', 'ac', true],
    ['GPT-*', 'gpt-4O', true],
    ['g.t', 'gpt', false],
    ['g?t', 'gpt', false],
    ['[a-z]', 'a', false],
  ])('%j and %j: %j', (pattern, text, matches) => {
    expect(matchesGlob(pattern, text)).toBe(matches);
  });

  test('is matched as a regular expression of it would be', () => {
    const letters = fc.array(fc.constantFrom('a', 'b', '*'), { maxLength: 8 }).map((all) => all.join(''));
    const text = fc.array(fc.constantFrom('a', 'b'), { maxLength: 10 }).map((all) => all.join(''));
    fc.assert(
      fc.property(letters, text, (pattern, given) => {
        expect(matchesGlob(pattern, given)).toBe(new RegExp(`^${pattern.replaceAll('*', '[ab]*')}$`, 'u').test(given));
      }),
      { numRuns: 2000 },
    );
  });

  test('that would take a regular expression for ever is soon done', () => {
    expect(matchesGlob(`${'*a'.repeat(100)}*b`, 'a'.repeat(10_000))).toBe(false);
  });
});

describe('a model', () => {
  test.each([
    ['claude-*', 'anthropic', 'claude-opus-5', true],
    ['anthropic/claude-*', 'anthropic', 'claude-opus-5', true],
    ['anthropic/*', 'openrouter', 'anthropic/claude-opus-5', true],
    ['openrouter/anthropic/*', 'openrouter', 'anthropic/claude-opus-5', true],
    ['claude-*', 'aws', 'us.anthropic.claude-opus-5', false],
    [
      'us.anthropic.claude-*',
      'aws',
      'arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-opus-5',
      true,
    ],
    ['gemini-*', 'google', 'models/gemini-2.5-pro', true],
    ['*application*', 'aws', 'arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/abcd', true],
    ['gpt-4o', 'openai', ' GPT-4o ', true],
    ['*', 'openai', 'x'.repeat(10_000), false],
  ])('%s of %s, %s: %j', (...[pattern, provider, model, matches]) => {
    expect(matchesModel(pattern, { provider, model })).toBe(matches);
  });
});
