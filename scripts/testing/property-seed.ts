import * as fc from 'fast-check';
import process from 'node:process';

/*
 * Properties are tried on the same inputs in every run of the checks, so that a failure belongs to the change that it
 * stands beside. `scripts/nightly.sh` tries them on others: HOLDFAST_SEED is a whole number, which a failure tells.
 */
const given = process.env['HOLDFAST_SEED'] ?? '20261122';
if (!/^\d{1,9}$/u.test(given))
  throw new Error(`HOLDFAST_SEED: expected a whole number of at most nine digits, got ${JSON.stringify(given)}`);

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(given) });
