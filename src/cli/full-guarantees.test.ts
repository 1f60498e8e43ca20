import { describe, expect, test } from 'vitest';
import { namespaceGuarantees } from '../backends/backend.ts';
import type { CommandInput } from './command.ts';
import { checkSandboxOptions, missingOfSandbox } from './full-guarantees.ts';

const everything = {
  kind: 'v2' as const,
  directory: '/sys/fs/cgroup/holdfast',
  controllers: ['memory', 'pids', 'cpu'],
};
const nothing = { kind: 'none' as const, reason: 'none' };

function inputOf(words: readonly string[], environment: CommandInput['io']['environment'] = {}): CommandInput {
  return {
    values: Object.fromEntries(words.map((word) => [word, true])),
    positionals: [],
    rest: ['true'],
    io: { stdout: { write: () => true }, stderr: { write: () => true }, cwd: '/', environment },
  };
}

type Cgroups = Parameters<typeof namespaceGuarantees>[0]['cgroups'];
const chosen = (cgroups: Cgroups): Parameters<typeof missingOfSandbox>[1] => ({
  backend: { name: 'native', guarantees: (facts) => namespaceGuarantees(facts) },
  place: { uid: 0, cgroups },
});

describe('--sandbox', () => {
  test('is content where everything is held that can be', () => {
    expect(missingOfSandbox(inputOf(['sandbox']), chosen(everything))).toBeUndefined();
  });

  test('refuses, and names the missing guarantees', () => {
    expect(() => missingOfSandbox(inputOf(['sandbox']), chosen(nothing))).toThrow(
      expect.objectContaining({
        code: 'HF_GUARANTEE_MISSING',
        details: { missing: ['limits.memory', 'limits.processes', 'limits.cpu'] },
      }),
    );
  });

  test('warns with --no-sandbox-strict', () => {
    expect(missingOfSandbox(inputOf(['sandbox', 'no-sandbox-strict']), chosen(nothing))).toBe(
      'the native backend cannot enforce here: limits.memory, limits.processes, limits.cpu',
    );
  });

  test('demands nothing where it is not given', () => {
    expect(missingOfSandbox(inputOf([]), chosen(nothing))).toBeUndefined();
  });
});

describe('--no-sandbox-strict', () => {
  test('goes with --sandbox', () => {
    expect(() => checkSandboxOptions(inputOf(['sandbox', 'no-sandbox-strict']))).not.toThrow();
    expect(() => checkSandboxOptions(inputOf(['no-sandbox-strict']))).toThrow(
      expect.objectContaining({ code: 'HF_USAGE' }),
    );
  });

  test('is refused in CI, where --sandbox alone is not', () => {
    expect(() => checkSandboxOptions(inputOf(['sandbox', 'no-sandbox-strict'], { CI: 'true' }))).toThrow(
      /refused in CI/u,
    );
    expect(() => checkSandboxOptions(inputOf(['sandbox'], { CI: 'true' }))).not.toThrow();
  });
});
