import type { Budget } from '../lib/budget.ts';

/** One measurement, as it is printed. */
export interface Part {
  readonly title: string;
  readonly text: string;
  readonly budgets: readonly Budget[];
}
