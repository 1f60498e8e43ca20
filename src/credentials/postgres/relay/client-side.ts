import { errorResponse, frontend, postgresLimits, message } from '../protocol/types.ts';
import { type Fate, ProtocolViolation, type WalkedMessage, type Visitor } from '../protocol/walker.ts';
import type { Assertion } from '../read-only/assertion.ts';
import { judgeSql, type SqlJudgement } from '../read-only/check.ts';
import type { Awaited, StatementLedger, Turns } from './ledger.ts';

export interface PostgresClientOptions {
  readonly ledger: StatementLedger;
  readonly turns: Turns;
  /** Makes transactions read-only. Absent in a read-write session. */
  readonly assertion?: Assertion;
  /** Inserts a message of the broker before the visited one. */
  insert(bytes: Buffer): void;
  /** Records a statement that the broker refused to send. */
  denied(text: string, outcome: string): void;
}

/** Most unanswered messages before the client has to wait. */
const mostAwaited = 65_536;
/** Octets of a `Bind` message that hold its two names, if the names have at most the allowed length. */
const bindStart = 5 + 2 * (postgresLimits.name + 1);
const remedy = 'this session may only read: mode = "read-write" of the credential would let it write';
const flush = message(frontend.flush);
const ours = { kind: 'ours' } as const;
const allowed: SqlJudgement = { kind: 'allowed', transactions: 'kept' };

/** Limits of each kind of message: `most` octets in all, `seen` octets before the visit. */
const sizes: Readonly<Record<number, { readonly most: number; readonly seen?: number }>> = {
  [frontend.query]: { most: postgresLimits.statement },
  [frontend.parse]: { most: postgresLimits.statement },
  [frontend.bind]: { most: Infinity, seen: bindStart },
  [frontend.functionCall]: { most: Infinity, seen: 5 },
  [frontend.copyData]: { most: Infinity, seen: 5 },
  [frontend.execute]: { most: postgresLimits.small },
  [frontend.describe]: { most: postgresLimits.small },
  [frontend.close]: { most: postgresLimits.small },
  [frontend.copyFail]: { most: postgresLimits.small },
  [frontend.sync]: { most: postgresLimits.small },
  [frontend.flush]: { most: postgresLimits.small },
  [frontend.copyDone]: { most: postgresLimits.small },
  [frontend.terminate]: { most: postgresLimits.small },
};

/**
 * Visits the client's messages after the login. Records them for the journal, and judges them in a read-only session.
 */
export class ClientSide implements Visitor {
  readonly #options: PostgresClientOptions;
  readonly #names = createPreparedNames();
  /**
   * A statement of this turn was refused. The messages up to its `Sync` are not sent, because the server would skip
   * them too.
   */
  #skipping = false;

  constructor(options: PostgresClientOptions) {
    this.#options = options;
  }

  needs(type: number, size: number): number {
    const known = sizes[type];
    if (known === undefined) throw new ProtocolViolation('it sent a message that does not belong after the login');
    if (size - 5 > known.most)
      throw new ProtocolViolation(`it sent a message of ${size} bytes, and the limit is ${known.most} bytes`);
    return known.seen ?? size;
  }

  visit(seen: WalkedMessage): Fate {
    if (seen.type === frontend.sync) return this.#sync();
    if (this.#skipping) return seen.type === frontend.terminate ? 'pass' : 'drop';
    switch (seen.type) {
      case frontend.query:
        return this.#query(seen);
      case frontend.parse:
        return this.#parse(seen);
      case frontend.bind:
        return this.#bind(seen);
      case frontend.execute:
        return this.#execute(seen);
      case frontend.functionCall:
        return this.#call();
      case frontend.describe:
        return this.#plain('describe');
      case frontend.close:
        return this.#plain('close');
      case frontend.copyDone:
      case frontend.copyFail:
        return this.#plain('copy-end');
      default:
        return 'pass';
    }
  }

  #query({ bytes, at, size }: WalkedMessage): Fate {
    const start = at + 5;
    const end = at + size - 1;
    if (bytes.indexOf(0, start) !== end)
      throw new ProtocolViolation('it sent a statement that does not end together with its message');
    const judgement = this.#judge(bytes, start, end);
    const text = statementText(bytes, start, end);
    if (judgement.kind === 'refused') return this.#refuse(text, judgement.reason, 'ready');
    if (!this.#begins()) return 'hold';
    this.#options.turns.ends(judgement.transactions);
    return this.#sent({ kind: 'query', text });
  }

  #parse({ bytes, at, size }: WalkedMessage): Fate {
    const name = nameAt(bytes, at + 5, at + size);
    const end = bytes.indexOf(0, name.end);
    if (end < 0 || end >= at + size) throw new ProtocolViolation('it sent a statement that does not end');
    const judgement = this.#judge(bytes, name.end, end);
    const text = statementText(bytes, name.end, end);
    if (judgement.kind === 'refused') return this.#refuse(text, judgement.reason, 'sync');
    if (!this.#begins()) return 'hold';
    this.#names.parsed(name.value, { text, transactions: judgement.transactions });
    return this.#sent({ kind: 'parse', text });
  }

  #bind({ bytes, at, size }: WalkedMessage): Fate {
    if (!this.#begins()) return 'hold';
    const end = Math.min(at + size, at + bindStart);
    const portal = nameAt(bytes, at + 5, end);
    const { text } = this.#names.bound(portal.value, nameAt(bytes, portal.end, end).value);
    return this.#sent({ kind: 'bind', text });
  }

  #execute({ bytes, at, size }: WalkedMessage): Fate {
    if (!this.#begins()) return 'hold';
    const prepared = this.#names.portal(nameAt(bytes, at + 5, at + size).value);
    this.#options.turns.runs(prepared.transactions);
    return this.#sent({ kind: 'execute', text: prepared.text });
  }

  #call(): Fate {
    if (this.#options.assertion !== undefined)
      return this.#refuse('(function call)', 'functions may not be called by number', 'ready');
    if (!this.#begins()) return 'hold';
    this.#options.turns.ends('kept');
    return this.#sent({ kind: 'function', text: '(function call)' });
  }

  #plain(kind: 'describe' | 'close' | 'copy-end'): Fate {
    return this.#sent({ kind });
  }

  #sync(): Fate {
    this.#skipping = false;
    this.#options.turns.ends('kept');
    return this.#sent({ kind: 'sync' });
  }

  #sent(entry: Awaited): Fate {
    this.#options.ledger.add(entry);
    return 'pass';
  }

  /** Called before a message that may run something. Returns false if the message has to wait. */
  #begins(): boolean {
    const { ledger, turns, assertion, insert } = this.#options;
    if (ledger.length > mostAwaited) return false;
    const turn = turns.next();
    if (turn !== 'assert' || assertion === undefined) return turn !== 'wait';
    insert(assertion.bytes);
    for (let answer = 0; answer < assertion.answers; answer += 1) ledger.add(ours);
    return true;
  }

  #judge(bytes: Buffer, start: number, end: number): SqlJudgement {
    return this.#options.assertion === undefined ? allowed : judgeSql(bytes.toString('latin1', start, end));
  }

  #refuse(text: string, reason: string, ending: 'ready' | 'sync'): Fate {
    const { ledger, insert, denied } = this.#options;
    // The server may delay answers up to a Sync, so it is asked for the answers to earlier requests first.
    if (!ledger.isEmpty) insert(flush);
    this.#skipping = ending === 'sync';
    denied(text, 'ERROR 42501');
    ledger.add({
      kind: 'refused',
      ending,
      error: errorResponse({ severity: 'ERROR', code: '42501', message: reason, remedy }),
    });
    return 'drop';
  }
}

/** Returns a name and the offset after it. The name is undefined if it does not end within `limit`. */
function nameAt(
  bytes: Buffer,
  start: number,
  limit: number,
): { readonly value: string | undefined; readonly end: number } {
  const end = bytes.indexOf(0, start);
  return end < 0 || end >= limit
    ? { value: undefined, end: limit }
    : { value: bytes.toString('latin1', start, end), end: end + 1 };
}

/** Most characters of a statement in the journal. */
const mostText = 2000;

/** Returns the beginning of a statement for the journal. */
function statementText(bytes: Buffer, start: number, end: number): string {
  return bytes.toString('utf8', start, Math.min(end, start + mostText * 4)).slice(0, mostText);
}

/** Known facts of a statement or portal. */
interface Prepared {
  /** Shown in the journal. */
  readonly text: string;
  readonly transactions: 'kept' | 'changed';
}

/** Statements and portals of one session by their names. A name is undefined if it could not be read. */
interface PreparedNames {
  parsed(statement: string | undefined, prepared: Prepared): void;
  /** Binds a portal, and returns its statement. */
  bound(portal: string | undefined, statement: string | undefined): Prepared;
  portal(name: string | undefined): Prepared;
}

/** Most names to remember. Drivers use fewer. */
const mostNames = 4096;

/** Used for statements that SQL prepared or that were forgotten. They may end a transaction. */
const unknown: Prepared = { text: '(prepared before)', transactions: 'changed' };

/**
 * Never forgets the names of statements that begin or end transactions. The message that replaces or closes such a
 * statement may fail or be skipped, and then the old one still runs under its name.
 */
export function createPreparedNames(): PreparedNames {
  const statements = new Map<string, Prepared>();
  const portals = new Map<string, Prepared>();
  const find = (names: Map<string, Prepared>, name: string | undefined): Prepared =>
    (name === undefined ? undefined : names.get(name)) ?? unknown;
  const put = (names: Map<string, Prepared>, name: string | undefined, prepared: Prepared): void => {
    if (name === undefined || !isExact(name)) return;
    const before = names.get(name);
    names.delete(name);
    names.set(
      name,
      before?.transactions === 'changed' && prepared.transactions === 'kept'
        ? { ...prepared, transactions: 'changed' }
        : prepared,
    );
    const [oldest] = names.size > mostNames ? names.keys() : [];
    if (oldest !== undefined) names.delete(oldest);
  };
  return {
    parsed: (statement, prepared) => put(statements, statement, prepared),
    bound(portal, statement) {
      const prepared = find(statements, statement);
      put(portals, portal, prepared);
      return prepared;
    },
    portal: (name) => find(portals, name),
  };
}

/** The server converts names to its own encoding and truncates them, so two different names may become one. */
function isExact(name: string): boolean {
  return name.length <= postgresLimits.name && /^[ -~]*$/u.test(name);
}
