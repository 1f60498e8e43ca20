import type { ReadSource } from '../types.ts';

/** A variable of the supervisor's own environment. The box's has a phantom under that name, or nothing. */
export const readEnvironment: ReadSource<'env'> = ({ variable }, _credential, { environment }) => {
  const value = environment[variable];
  if (value === undefined || value === '') return Promise.resolve({ kind: 'missing', why: `the environment variable ${variable} is not set`, remedy: `set ${variable} where holdfast is started` });
  return Promise.resolve({ kind: 'answer', value, fields: {} });
};
