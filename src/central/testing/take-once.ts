/**
 * A separate process that accepts one bundle: `node take-once.ts POLICY JOURNAL KEY BUNDLE`. Finally it prints `taken`.
 */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { centralPaths } from '../store.ts';
import { takeBundle } from '../take-bundle.ts';
import { day, issuedAt } from './bundles.ts';

const [, , policy = '', journal = '', key = '', bundle = ''] = process.argv;
const machine = { paths: centralPaths(policy), journal, now: () => issuedAt + day, check: () => undefined };
const { change } = takeBundle(machine, { bytes: readFileSync(bundle), source: bundle, key, foreign: 'keep' });
process.stdout.write(`${change}\n`);
