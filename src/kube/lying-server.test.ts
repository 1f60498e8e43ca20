import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { rounds } from '../../scripts/testing/extent.ts';
import { kubeRefusal } from './api/failures.ts';
import { endOf } from './streams/channels.ts';

const shaped = fc.record(
  {
    status: fc.oneof(fc.constantFrom('Success', 'Failure'), fc.jsonValue()),
    reason: fc.oneof(fc.constant('NonZeroExitCode'), fc.jsonValue()),
    message: fc.jsonValue(),
    details: fc.oneof(fc.record({ causes: fc.oneof(fc.array(fc.jsonValue()), fc.jsonValue()) }), fc.jsonValue()),
  },
  { requiredKeys: [] },
);
const said = fc.oneof(
  fc.string(),
  fc.json(),
  shaped.map((value) => JSON.stringify(value)),
);

test('any report of a failure becomes a refusal of one line', () => {
  fc.assert(
    fc.property(said, (text) => {
      const { reason, message, causes } = kubeRefusal(500, text);
      for (const each of [reason, message, ...causes.flatMap((cause) => [cause.reason, cause.message])])
        expect(each).not.toMatch(/[\r\n]/u);
    }),
    { numRuns: rounds(2000) },
  );
});

test('any report of an end becomes an end', () => {
  fc.assert(
    fc.property(said, (text) => {
      const end = endOf(text);
      if (end.kind === 'exited') expect(end.exitCode).toBeLessThan(256);
    }),
    { numRuns: rounds(2000) },
  );
});

test.each([{ causes: [null] }, { causes: 'x' }, { causes: [{ reason: 'ExitCode', message: 3 }] }])(
  'a status with %j gives no exit status that it does not hold',
  (details) => {
    const end = endOf(JSON.stringify({ status: 'Failure', reason: 'NonZeroExitCode', message: 'm', details }));
    expect(end).toEqual({ kind: 'failed', message: 'm' });
  },
);
