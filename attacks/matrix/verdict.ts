import { grantedRow, type Performance } from '../runner/judge.ts';

/** The result of one exploit in one column. `of`: the number of its ways to succeed. */
export type Cell =
  | {
      readonly kind: 'tried';
      readonly of: number /** Had an effect outside the box, or without a box. */;
      readonly reached: number /** Ran in the box, without an effect outside. */;
      readonly contained: number;
    }
  | { readonly kind: 'not run here' };

/** Throws for an inconclusive performance: the agent did not start, or left ways untried. */
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

/** `blocked`, `succeeds`, `contained`, or the numbers of its ways with each result. */
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
