/**
 * The errors room: one typed error class for the whole product, and nothing else.
 *
 * Every failure a user can meet is a `HoldfastError` with a stable `code`, a message that says what went wrong, and a
 * `remedy` that says what to do about it. Folders define their own codes; none defines its own class.
 */
export { HoldfastError, isHoldfastError, type HoldfastErrorCode, type HoldfastErrorOptions } from './holdfast-error.ts';
