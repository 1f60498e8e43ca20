/**
 * Writes a guest's questions and first lines of scripts, as seeds for their fuzzer: `node fuzz-guest-seeds.ts
 * DIRECTORY`. The first byte chooses, as in native/fuzz/guest-question.c.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

const directory = process.argv[2] ?? 'seeds';
mkdirSync(directory, { recursive: true });

const question = (...texts: readonly string[]): Buffer =>
  Buffer.concat([Buffer.alloc(9), ...texts.map((text) => Buffer.from(`${text}\0`))]);
const script = (line: string): Buffer => Buffer.concat([Buffer.of(1), Buffer.from(line)]);
const seeds = [
  question('/usr/bin/git', 'git', 'push', '--force'),
  question('/usr/bin/true'),
  question('/usr/bin/printf', 'printf', '', 'x'.repeat(300), ''),
  question('relative'),
  Buffer.alloc(9),
  script('#!/bin/sh\necho'),
  script('#! \t/usr/bin/env -S node --x\n'),
  script(`#!${'/long'.repeat(60)}`),
  script('#!\0/bin/sh\n'),
  script('\u007fELF'),
];
for (const [index, seed] of seeds.entries()) writeFileSync(join(directory, String(index)), seed);
console.log(`${seeds.length} seeds in ${directory}`);
