import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { onTestFinished } from 'vitest';
import type { Injection } from '../../../policy/credentials/injection.ts';
import type { Credential, SecretSource } from '../../../policy/credentials/types.ts';
import { parseHostPattern } from '../../../policy/patterns/host-pattern.ts';
import { runProgram } from '../run-program.ts';
import type { SourceContext } from '../types.ts';

/** A directory outside `/tmp`, which some programs treat specially. */
export function directory(): string {
  const root = realpathSync.native(mkdtempSync('/var/tmp/holdfast-sources-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return root;
}

export function credential(source: SecretSource, injection: Injection = { kind: 'bearer' }): Credential {
  const host = parseHostPattern('api.example.com:443');
  if (host.kind === 'problem') throw new Error(host.message);
  return {
    name: 'example',
    source,
    binding: { hosts: [host], transport: 'tls' },
    injection,
    delivery: { environment: [], files: [], baseUrls: [] },
    use: 'phantom',
    origin: { layer: 'user', file: 'policy.toml', line: 1, rule: 'credentials[0]' },
  };
}

export function context(parts: Partial<SourceContext> = {}): SourceContext {
  return {
    environment: { PATH: '/usr/bin:/bin' },
    platform: 'linux',
    writableRoots: [],
    runner: runProgram,
    extract: () => undefined,
    now: () => 0,
    signal: new AbortController().signal,
    ...parts,
  };
}

/**
 * A directory with a stand-in for a missing program of this machine. `body` is a Node program, which gets the arguments
 * as `argv` and its environment. It answers in the form of the real program's documentation.
 */
export function standIn(name: string, body: string): string {
  const bin = join(directory(), 'bin');
  mkdirSync(bin);
  writeFileSync(
    join(bin, name),
    `#!${process.execPath}\nconst argv = process.argv.slice(2);\nconst fail = (status, text) => { process.stderr.write(text); process.exit(status); };\n${body}\n`,
    { mode: 0o755 },
  );
  return bin;
}
