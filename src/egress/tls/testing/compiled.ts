import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { oncePerRun } from '../../../../scripts/testing/once-per-run.ts';
import { javas } from './programs.ts';

/*
 * Programs that tests start repeatedly. `java Get.java` and `go run` would compile them each time, which takes seconds
 * of a processor.
 */

/**
 * They live for less than a second: optimising compilers and collectors with several threads cost more than they save.
 */
const shortLived = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

/** The words after `java` that run the class of a source. Any Java from 11 on runs it. */
export function javaWords(name: string, source: string): readonly string[] {
  const classes = oncePerRun(`java-${digestOf(source)}`, (directory) => {
    const file = join(directory, `${name}.java`);
    writeFileSync(file, source);
    execFileSync(
      javac(),
      [...shortLived.map((option) => `-J${option}`), '--release', '11', '-nowarn', '-d', directory, file],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
  });
  return [...shortLived, '-cp', classes, name];
}

/** Path of the program of a Go source. */
export function goProgram(source: string, environment: Readonly<Record<string, string>>): string {
  const directory = oncePerRun(`go-${digestOf(source)}`, (fresh) => {
    const file = join(fresh, 'main.go');
    writeFileSync(file, source);
    execFileSync('go', ['build', '-o', join(fresh, 'main'), file], {
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...environment },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  });
  return join(directory, 'main');
}

function javac(): string {
  return javas[0]?.replace(/java$/u, 'javac') ?? 'javac';
}

function digestOf(source: string): string {
  return createHash('sha256').update(source).digest('hex').slice(0, 16);
}
