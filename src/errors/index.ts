/**
 * The errors room: one typed error class for the whole product, and nothing else.
 *
 * Every failure that a user can meet is a `HoldfastError`. Its `code` is stable, its message says what went wrong, and
 * its `remedy` says what to do. Rooms define their own codes, but no class of their own.
 */
export { HoldfastError, isHoldfastError, type HoldfastErrorCode, type HoldfastErrorOptions } from './holdfast-error.ts';
