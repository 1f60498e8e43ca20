import * as fc from 'fast-check';
import process from 'node:process';

/*
 * Properties use the same inputs in every run of the checks, so that a failure belongs to the current change.
 * `scripts/nightly.sh` uses others: HOLDFAST_SEED is a whole number, which a failure prints.
 */
const given = process.env['HOLDFAST_SEED'] ?? '20261122';
if (!/^\d{1,9}$/u.test(given))
  throw new Error(`HOLDFAST_SEED: expected a whole number of at most nine digits, got ${JSON.stringify(given)}`);

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(given) });
