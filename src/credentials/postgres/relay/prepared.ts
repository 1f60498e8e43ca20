import { postgresLimits } from '../protocol/types.ts';

/** Known facts of a statement or portal. */
export interface Prepared {
  /** For the journal. */
  readonly text: string;
  readonly transactions: 'kept' | 'changed';
}

/** Statements and portals of one session by their names. Undefined: a name that was not read. */
export interface PreparedNames {
  parsed(statement: string | undefined, prepared: Prepared): void;
  /** Binds a portal, and returns its statement. */
  bound(portal: string | undefined, statement: string | undefined): Prepared;
  portal(name: string | undefined): Prepared;
}

/** Most remembered names, more than drivers use. */
const mostNames = 4096;

/** Statements that SQL prepared, or that were forgotten, may end a transaction. */
const unknown: Prepared = { text: '(prepared before)', transactions: 'changed' };

/**
 * Remembers names of statements that begin or end transactions for good. The message that replaces or closes such a
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

/** The server converts names to its own encoding and cuts them, so two different names may become one. */
function isExact(name: string): boolean {
  return name.length <= postgresLimits.name && /^[ -~]*$/u.test(name);
}
