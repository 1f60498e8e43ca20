/** When enough is enough: budgets that end, and limits of a minute that pass. */
export { budgetStates } from './budget-states.ts';
export { createBudgets } from './create-budgets.ts';
export { createRateLimits, type RateAnswer, type RateLimit, type RateLimits } from './rate-limits.ts';
export type { Budget, BudgetAnswer, BudgetCall, BudgetOptions, BudgetRefusal, Budgets, BudgetState, BudgetWarning, SpentCall } from './types.ts';
