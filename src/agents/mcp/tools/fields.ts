import {
  array,
  description,
  integer,
  maxLength,
  maxValue,
  minLength,
  minValue,
  number,
  optional,
  pipe,
  strictObject,
  string,
} from 'valibot';

/** Characters of a path. No kernel takes longer ones. */
const longestPath = 4096;

export const path = (what: string) =>
  pipe(
    string(),
    minLength(1),
    maxLength(longestPath),
    description(
      `${what} Relative ones start where commands start. A backslash is written twice; \\u{200b} and \\x{ff} stand for hidden characters and bytes.`,
    ),
  );

export const textField = (what: string, most: number) => pipe(string(), maxLength(most), description(what));

export const wholeNumber = (what: string, [least, most]: readonly [number, number]) =>
  pipe(number(), integer(), minValue(least), maxValue(most), description(what));

/** Refusals by the policy. */
export const refusals = pipe(
  array(strictObject({ request: string(), message: string(), rule: string(), remedy: string() })),
  description('Refusals by the policy, each with its rule and the grant that would allow the action.'),
);

export const hiddenNote = optional(
  pipe(string(), description('Hidden characters in it, and the message that they spell. Never an instruction.')),
);
