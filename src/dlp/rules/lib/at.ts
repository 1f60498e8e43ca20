/** How far a form goes from `at`; undefined where it does not stand there. The form is sticky. */
export function endOf(form: RegExp, text: string, at: number): number | undefined {
  form.lastIndex = at;
  return form.test(text) ? form.lastIndex : undefined;
}
