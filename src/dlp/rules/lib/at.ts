/** Returns where a match of a form at `at` ends. Undefined if it does not match. The form is sticky. */
export function formEnd(form: RegExp, text: string, at: number): number | undefined {
  form.lastIndex = at;
  return form.test(text) ? form.lastIndex : undefined;
}

const before = 64;
const after = 32;

/**
 * Returns true if one of the words is near a span: in the 64 characters before it or the 32 after it. The words are a
 * pattern for text in lower case.
 */
export function hasNear(text: string, span: { readonly start: number; readonly end: number }, words: RegExp): boolean {
  return (
    words.test(text.slice(Math.max(0, span.start - before), span.start).toLowerCase()) ||
    words.test(text.slice(span.end, span.end + after).toLowerCase())
  );
}
