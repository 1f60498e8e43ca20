import type { Named, NameIndex, Permission } from '../commands/permissions.ts';
import { redisNumberEnd, redisLimits, numberIn, readWholeCommand, RespViolation } from './whole-command.ts';
import { writeCommand } from './write.ts';

/** Receives the commands of a client, in order. */
export interface CommandVisitor {
  /** Returns true if the journal records the key of the next command. */
  wantsKey(): boolean;
  /**
   * Visits the head of a command. Returns `pass`, or a replacement. `permission` is undefined if the name is unknown.
   */
  visit(permission: Permission | undefined, key: string | undefined): 'pass' | Buffer;
  /** Visits a login command with all arguments, and returns its replacement. */
  login(args: readonly Buffer[]): Buffer;
  /** Passes bytes of the client to the server. */
  pass(bytes: Buffer): void;
  /** Passes a replacement to the server. */
  replace(bytes: Buffer): void;
}

const asterisk = 0x2a;
const dollar = 0x24;
const none: Buffer = Buffer.alloc(0);

/**
 * Walks from command to command through a client's stream, and passes mostly the original chunks. No argument is kept
 * in memory: heads wait for a decision, and the rest passes as it arrives. Stricter than Redis, which skips any two
 * octets after every string. A parser with other rules would find other commands in the same bytes.
 */
export class CommandWalker {
  readonly #finder: NameIndex<Named>;
  readonly #visitor: CommandVisitor;
  #bytes: Buffer = none;
  #at = 0;
  /** Offset of the first byte that has not passed yet. */
  #from = 0;
  /** Remaining arguments of the command that was decided. */
  #argumentsLeft = 0;
  /** Remaining octets of the argument that is passing, with CR LF. 0: the head of the next one follows. */
  #octetsLeft = 0;
  #fate: 'pass' | 'drop' = 'pass';
  /** Length of the bulk string whose head was read last. */
  #length = 0;

  constructor(finder: NameIndex<Named>, visitor: CommandVisitor) {
    this.#finder = finder;
    this.#visitor = visitor;
  }

  /** Throws on an invalid command. All earlier bytes have passed. */
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

  /** Decides about the command at `at`, and moves to its first argument. Returns false if more bytes are needed. */
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

  /** Returns the part of a key that the journal records. Undefined if more bytes are needed. */
  #key(head: number): string | undefined {
    const start = this.#bulk(head);
    const end = start + Math.min(this.#length, redisLimits.key);
    return start < 0 || end > this.#bytes.length ? undefined : this.#bytes.toString('latin1', start, end);
  }

  /**
   * Handles a login, or an inline command. An inline command is passed on as an array, so that no parser reads its
   * quotes differently.
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

  /** Passes the arguments of a decided command, as far as they have arrived. Returns false if more bytes are needed. */
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

  /** Keeps the last two octets of an argument, so that they are checked together. */
  #partly(): boolean {
    const taken = Math.max(0, Math.min(this.#bytes.length - this.#at, this.#octetsLeft - 2));
    this.#at += taken;
    this.#octetsLeft -= taken;
    return false;
  }

  /** Returns the offset of the content of a bulk string whose head is at `start`, or -1 if more bytes are needed. */
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

/** All fields are always present, because objects of the same shape are cheap. */
interface Decided {
  /** Offset of the head of the first argument, and the number of arguments. */
  readonly first: number;
  readonly count: number;
  readonly permission: Permission | undefined;
  /** Offset of the head of the argument after the names, or -1 if the command has none. */
  readonly key: number;
}
