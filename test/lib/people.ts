import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import process from 'node:process';
import { binary, Project } from './holdfast.ts';

/** The users of holdfast: the user of the tests, and, if that is root, an ordinary user too. */
export interface Person {
  readonly name: string;
  readonly uid: number;
}

const ordinary = 4711;
const me = process.getuid?.() ?? 0;
export const people: readonly Person[] =
  me === 0
    ? [
        { name: 'root', uid: 0 },
        { name: 'an ordinary user', uid: ordinary },
      ]
    : [{ name: 'an ordinary user', uid: me }];

/** A project that belongs to someone. */
export class PersonalProject extends Project {
  readonly person: Person;

  constructor(person: Person) {
    super();
    this.person = person;
    this.own();
  }

  /** Gives all new files to their owner. */
  own(): void {
    if (this.person.uid !== me) spawnSync('chown', ['-R', `${this.person.uid}:${this.person.uid}`, this.root]);
  }

  /** A program outside the box, as the owner. */
  as(
    program: string,
    args: readonly string[],
    options: { readonly cwd?: string; readonly environment?: NodeJS.ProcessEnv } = {},
  ): SpawnSyncReturns<string> {
    this.own();
    const { uid } = this.person;
    const identity = uid === me ? {} : { uid, gid: uid };
    return spawnSync(program, args, {
      cwd: options.cwd ?? this.workspace,
      env: { ...this.environment, ...options.environment },
      input: '',
      encoding: 'utf8',
      timeout: 60_000,
      ...identity,
    });
  }

  override holdfast(
    args: readonly string[],
    options: { readonly cwd?: string; readonly environment?: NodeJS.ProcessEnv } = {},
  ): SpawnSyncReturns<string> {
    return this.as(binary, args, options);
  }
}
