import { postgresLimits } from '../protocol/types.ts';

/** What is known of a statement or portal. */
export interface Prepared {
  /** For the journal. */
  readonly text: string;
  readonly transactions: 'kept' | 'changed';
}

/**
 * Statements and portals of one session by their names, as far as messages name them; undefined: a name that was not
 * read.
 */
export interface PreparedNames {
  parsed(statement: string | undefined, prepared: Prepared): void;
  /** The statement that the portal runs. */
  bound(portal: string | undefined, statement: string | undefined): Prepared;
  portal(name: string | undefined): Prepared;
}

/** Names that are remembered: more than drivers keep. */
const mostNames = 4096;

/** What was prepared by SQL, or is not remembered any more, may end a transaction as far as is known here. */
const unknown: Prepared = { text: '(prepared before)', transactions: 'changed' };

/**
 * Who once had a statement that begins or ends transactions counts as having one for good: the message that would
 * replace or close it may fail or be skipped, and then the old one runs under its name.
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

/** The server converts names to its own encoding and cuts them, so that two others may be one. */
function isExact(name: string): boolean {
  return name.length <= postgresLimits.name && /^[ -~]*$/u.test(name);
}
