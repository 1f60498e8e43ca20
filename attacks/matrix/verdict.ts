import { grantedRow, type Performance } from '../runner/judge.ts';

/** What one exploit came to in one column; `of`: its ways to succeed. */
export type Cell =
  | {
      readonly kind: 'tried';
      readonly of: number /** Had an effect outside of the box, or where there is none. */;
      readonly reached: number /** Ran in the box, and nothing outside noticed. */;
      readonly contained: number;
    }
  | { readonly kind: 'not run here' };

/** Throws when the performance shows nothing: the agent did not start, or left ways untried. */
export function verdictOf(rows: readonly string[], { runs, rows: seen, log }: Performance): Cell {
  const ways = rows.filter((row) => row !== grantedRow);
  if (runs.some(({ kind }) => kind !== 'ran') || seen.untried.some((row) => row !== grantedRow))
    throw new Error(`the agent did not do what it should: ${JSON.stringify(runs)} ${seen.untried.join(' ')}\n${log}`);
  const reached = ways.filter((row) => seen.reached?.includes(row) === true).length;
  return {
    kind: 'tried',
    of: ways.length,
    reached,
    contained: ways.filter((row) => seen.succeeded.includes(row)).length - reached,
  };
}

/** `blocked`, `succeeds`, `contained`, or how many of its ways did what. */
export function cellText(cell: Cell): string {
  if (cell.kind === 'not run here') return 'not run here';
  const { of, reached, contained } = cell;
  if (reached === of) return '**succeeds**';
  if (contained === of) return 'contained';
  const parts = [
    ...(reached > 0 ? [`**${reached} of ${of} succeed**`] : []),
    ...(contained > 0 ? [`${contained} of ${of} contained`] : []),
  ];
  return parts.length === 0 ? 'blocked' : parts.join(', ');
}
