/**
 * The errors room has one typed error class for the whole product, and nothing else.
 *
 * Every failure that a user can meet is a `HoldfastError`. Its `code` is stable, its message says what went wrong, and
 * its `remedy` says what to do. This room lists all codes. No other room defines a class for such errors.
 */
export { HoldfastError, isHoldfastError, type HoldfastErrorCode, type HoldfastErrorOptions } from './holdfast-error.ts';
