import type { Named, NameIndex, Permission } from '../commands/permissions.ts';
import { redisNumberEnd, redisLimits, numberIn, readWholeCommand, RespViolation } from './whole-command.ts';
import { writeCommand } from './write.ts';

/** Where the commands of a client go, in their order. */
export interface CommandVisitor {
  /** Whether the journal takes the key of the next command. */
  wantsKey(): boolean;
  /**
   * A command by its head: it goes on as it is, or something of ours goes in its place. `permission` is absent where
   * the name is not known.
   */
  visit(permission: Permission | undefined, key: string | undefined): 'pass' | Buffer;
  /** One that says who the client is, with all of its arguments: what goes in its place. */
  login(args: readonly Buffer[]): Buffer;
  /** What the client sent goes on. */
  pass(bytes: Buffer): void;
  /** What stands in the place of a command goes on. */
  replace(bytes: Buffer): void;
}

const asterisk = 0x2a;
const dollar = 0x24;
const none: Buffer = Buffer.alloc(0);

/**
 * Goes from command to command of a client's stream; what goes on is mostly the very chunks that came. No argument is
 * kept in memory: heads wait until they are decided, the rest passes as it comes. Stricter than Redis, which skips two
 * octets behind every string whatever they are: who reads the same bytes in another way finds other commands in them.
 */
export class CommandWalker {
  readonly #finder: NameIndex<Named>;
  readonly #visitor: CommandVisitor;
  #bytes: Buffer = none;
  #at = 0;
  /** Where what goes on begins. */
  #from = 0;
  /** Arguments of the command that has been decided. */
  #argumentsLeft = 0;
  /** Octets of the argument that is passing, with CR LF; 0: its head comes next. */
  #octetsLeft = 0;
  #fate: 'pass' | 'drop' = 'pass';
  /** Of the bulk string whose head was read last. */
  #length = 0;

  constructor(finder: NameIndex<Named>, visitor: CommandVisitor) {
    this.#finder = finder;
    this.#visitor = visitor;
  }

  /** Throws on what is no command. What came before it has gone on. */
  push(chunk: Buffer): void {
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk]);
    this.#at = 0;
    this.#from = 0;
    while (this.#at < this.#bytes.length) {
      if (this.#argumentsLeft === 0 && !this.#command()) break;
      const isDone = this.#arguments();
      if (this.#fate === 'drop') this.#from = this.#at;
      if (!isDone) break;
      this.#fate = 'pass';
    }
    this.#cut();
    this.#bytes = this.#bytes.subarray(this.#at);
  }

  #cut(): void {
    if (this.#from < this.#at)
      this.#visitor.pass(
        this.#from === 0 && this.#at === this.#bytes.length ? this.#bytes : this.#bytes.subarray(this.#from, this.#at),
      );
    this.#from = this.#at;
  }

  /** Decides the command at `at`, and goes to its first argument. False: more is needed. */
  #command(): boolean {
    if (this.#bytes[this.#at] !== asterisk) return this.#whole();
    const first = redisNumberEnd(this.#bytes, this.#at + 1);
    if (first < 0) return false;
    const count = numberIn(this.#bytes, this.#at + 1, first);
    if (count > redisLimits.arguments) throw new RespViolation('invalid multibulk length');
    if (count === 0) this.#at = first;
    return count === 0 || this.#named(first, count);
  }

  #named(first: number, count: number): boolean {
    const start = this.#bulk(first);
    if (start < 0) return false;
    if (this.#length > redisLimits.name) return this.#decide({ first, count, permission: undefined, key: -1 });
    const end = start + this.#length;
    if (end + 2 > this.#bytes.length) return false;
    const named = this.#finder.find(this.#bytes, start, end);
    if (named?.permission?.command.access === 'login') return this.#whole();
    if (named?.subcommands === undefined || count === 1)
      return this.#decide({ first, count, permission: named?.permission, key: count > 1 ? end + 2 : -1 });
    const second = this.#bulk(end + 2);
    if (second < 0) return false;
    if (this.#length > redisLimits.name) return this.#decide({ first, count, permission: undefined, key: -1 });
    const behind = second + this.#length;
    if (behind + 2 > this.#bytes.length) return false;
    return this.#decide({
      first,
      count,
      permission: named.subcommands.find(this.#bytes, second, behind),
      key: count > 2 ? behind + 2 : -1,
    });
  }

  #decide({ first, count, permission, key }: Decided): boolean {
    const isKeyed = key >= 0 && permission?.command.key === 'first' && this.#visitor.wantsKey();
    const text = isKeyed ? this.#key(key) : undefined;
    if (isKeyed && text === undefined) return false;
    const verdict = this.#visitor.visit(permission, text);
    if (verdict !== 'pass') {
      this.#cut();
      this.#visitor.replace(verdict);
      this.#fate = 'drop';
    }
    this.#argumentsLeft = count;
    this.#at = first;
    return true;
  }

  /** As much of a key as the journal takes; undefined: more is needed. */
  #key(head: number): string | undefined {
    const start = this.#bulk(head);
    const end = start + Math.min(this.#length, redisLimits.key);
    return start < 0 || end > this.#bytes.length ? undefined : this.#bytes.toString('latin1', start, end);
  }

  /**
   * A login, or a command that is written inline: it goes on as an array, so that nobody reads quotes in another way.
   */
  #whole(): boolean {
    const read = readWholeCommand(this.#bytes, this.#at);
    if (read === undefined) return false;
    this.#cut();
    this.#at = read.end;
    this.#from = read.end;
    const [name = none, second = none] = read.args;
    if (read.args.length === 0) return true;
    const named = this.#finder.find(name, 0, name.length);
    const hasSecond = named?.subcommands !== undefined && read.args.length > 1;
    const permission = hasSecond ? named.subcommands.find(second, 0, second.length) : named?.permission;
    if (permission?.command.access === 'login') {
      this.#visitor.replace(this.#visitor.login(read.args));
      return true;
    }
    const key =
      permission?.command.key === 'first'
        ? read.args[hasSecond ? 2 : 1]?.toString('latin1', 0, redisLimits.key)
        : undefined;
    const verdict = this.#visitor.visit(permission, key);
    if (verdict === 'pass') this.#visitor.pass(writeCommand(read.args));
    else this.#visitor.replace(verdict);
    return true;
  }

  /** The arguments of a command that has been decided, as far as they have come. False: more is needed. */
  #arguments(): boolean {
    while (this.#argumentsLeft > 0) {
      if (this.#octetsLeft === 0) {
        const start = this.#bulk(this.#at);
        if (start < 0) return false;
        this.#at = start;
        this.#octetsLeft = this.#length + 2;
      }
      const end = this.#at + this.#octetsLeft;
      if (end > this.#bytes.length) return this.#partly();
      if (this.#bytes[end - 2] !== 0x0d || this.#bytes[end - 1] !== 0x0a)
        throw new RespViolation('a bulk string does not end with CR LF');
      this.#at = end;
      this.#octetsLeft = 0;
      this.#argumentsLeft -= 1;
    }
    return true;
  }

  /** The last two octets of an argument stay, so that they are seen together. */
  #partly(): boolean {
    const taken = Math.max(0, Math.min(this.#bytes.length - this.#at, this.#octetsLeft - 2));
    this.#at += taken;
    this.#octetsLeft -= taken;
    return false;
  }

  /** Offset of a bulk string's octets, whose head stands at `start`; -1: more is needed. */
  #bulk(start: number): number {
    if (start >= this.#bytes.length) return -1;
    if (this.#bytes[start] !== dollar) throw new RespViolation("expected '$'");
    const end = redisNumberEnd(this.#bytes, start + 1);
    if (end < 0) return -1;
    this.#length = numberIn(this.#bytes, start + 1, end);
    if (this.#length > redisLimits.bulk) throw new RespViolation('invalid bulk length');
    return end;
  }
}

/** All of it always there: objects of one shape cost next to nothing. */
interface Decided {
  /** Offset of the head of the first argument, and how many there are. */
  readonly first: number;
  readonly count: number;
  readonly permission: Permission | undefined;
  /** Offset of the head of the argument behind the names; -1: there is none. */
  readonly key: number;
}
