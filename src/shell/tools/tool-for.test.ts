import { expect, test } from 'vitest';
import { allTools, toolFor } from './tool-for.ts';
import type { ToolSpec } from './types.ts';

test('no two specifications have one name', () => {
  const names = allTools.flatMap((spec) => spec.names);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

test.each(allTools.map((spec) => [spec.names[0] ?? '', spec] as const))(
  '%s has each option once, and well-formed names',
  (_name, spec) => {
    for (const level of levels(spec)) {
      const names = level.options.flatMap((option) => option.names);
      expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
      expect(names.filter((name) => !/^(?:[-+][^\s=]|--[^\s=]+|-[^\s=-][^\s=]*)$/u.test(name))).toEqual([]);
      expect(level.grammar === 'words' ? names : []).toEqual([]);
    }
  },
);

test.each(['rm', 'find', 'grep', 'cd', '['])('%s is known by its bare name', (name) => {
  expect(toolFor(name)?.names).toContain(name);
});

test.each(['', 'RM', '/bin/rm', 'rm ', 'toString', '__proto__', 'constructor'])(
  '%j is nothing that is known',
  (name) => {
    expect(toolFor(name)).toBeUndefined();
  },
);

function levels(spec: ToolSpec): readonly ToolSpec[] {
  return [spec, ...(spec.subcommands ?? []).flatMap(levels)];
}
