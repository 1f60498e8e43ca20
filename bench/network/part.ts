import type { Budget } from '../lib/budget.ts';

/** One measurement, as printed. */
export interface Part {
  readonly title: string;
  readonly text: string;
  readonly budgets: readonly Budget[];
}
