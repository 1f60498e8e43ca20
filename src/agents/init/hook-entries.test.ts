import { parse } from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import { withEntries, withoutEntries, type WantedHooks } from './hook-entries.ts';

const own = /^'.*' hook claude \|\| exit 2$/su;
const wanted: WantedHooks = {
  events: ['PreToolUse', 'PostToolUse'],
  own,
  off: () => undefined,
  entry: { type: 'command', command: "'/node' '/holdfast.cjs' hook claude || exit 2", timeout: 60 },
};
const group = { hooks: [wanted.entry] };

describe('settings with our hooks', () => {
  test('are created if none exist', () => {
    expect(parse(withEntries(undefined, wanted))).toEqual({ hooks: { PreToolUse: [group], PostToolUse: [group] } });
    expect(parse(withEntries('', wanted))).toEqual(parse(withEntries('{}', wanted)));
  });

  test('keep every other line, comments among them', () => {
    const given =
      '{\n\t// mine\n\t"model": "opus", // the best\n\t"hooks": {\n\t\t"PreToolUse": [{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "lint" }] }],\n\t},\n}\n';
    const settings = withEntries(given, wanted);
    expect(settings).toContain('\t// mine\n\t"model": "opus", // the best\n');
    expect(parse(settings, [], { allowTrailingComma: true })).toEqual({
      model: 'opus',
      hooks: {
        PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'lint' }] }, group],
        PostToolUse: [group],
      },
    });
  });

  test('are the same when made twice, also by another version', () => {
    const once = withEntries('{"a": 1}', wanted);
    expect(withEntries(once, wanted)).toBe(once);
    // A person or a program may have reformatted the file since.
    const compact = JSON.stringify(parse(once));
    expect(withEntries(compact, wanted)).toBe(compact);
    const older = withEntries('{"a": 1}', {
      ...wanted,
      entry: { ...wanted.entry, command: "'/old/node' '/old.cjs' hook claude || exit 2" },
    });
    expect(parse(withEntries(older, wanted))).toEqual(parse(once));
    const doubled = parse(once) as { hooks: Record<string, unknown[]> };
    doubled.hooks['PreToolUse']?.push(group);
    expect(parse(withEntries(JSON.stringify(doubled), wanted))).toEqual(parse(once));
  });

  test('lose them again, and nothing else', () => {
    const given =
      '{\n  "model": "opus",\n  "hooks": {\n    "PreToolUse": [\n      { "hooks": [{ "type": "command", "command": "lint" }] }\n    ]\n  }\n}\n';
    expect(parse(withoutEntries(withEntries(given, wanted), own) ?? '')).toEqual(parse(given));
    expect(withoutEntries(withEntries(undefined, wanted), own)).toBeUndefined();
    const mixed = JSON.stringify({
      hooks: { PreToolUse: [{ hooks: [wanted.entry, { type: 'command', command: 'lint' }, wanted.entry] }] },
    });
    expect(parse(withoutEntries(mixed, own) ?? '')).toEqual({
      hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'lint' }] }] },
    });
  });

  test('keep groups of others, of whatever form, beside ours', () => {
    const others = ['x', null, { hooks: 1 }, { matcher: 'Bash' }, { hooks: ['x', { type: 'command' }] }];
    const given = JSON.stringify({ hooks: { PreToolUse: others, Stop: 'x' } });
    const once = withEntries(given, wanted);
    expect(parse(once)).toEqual({ hooks: { PreToolUse: [...others, group], Stop: 'x', PostToolUse: [group] } });
    expect(parse(withoutEntries(once, own) ?? '')).toEqual(parse(given));
  });

  test.each([
    '{',
    '[]',
    '"x"',
    '{"hooks": 1}',
    '{"hooks": {"PreToolUse": {}}}',
    '{"a": 1,, }',
    '{"hooks": {}, "hooks": {"PreToolUse": []}}',
  ])('that are broken are refused: %s', (text) => {
    expect(() => withEntries(text, wanted)).toThrow(/cannot be changed/u);
  });
});
