import type { Credential } from './types.ts';

export interface PlacedVariable {
  readonly name: string;
  /** Path in the document. A provider's variables have none, so it is the path of the table. */
  readonly at: string;
}

/** Returns every variable that the credential table at `at` gives to the box. */
export function deliveredVariables(
  { delivery: { environment, baseUrls } }: Pick<Credential, 'delivery'>,
  at: string,
): readonly PlacedVariable[] {
  return [
    ...environment.map(({ name }, index) => ({ name, at: `${at}.environment[${index}]` })),
    ...baseUrls.map(({ name }, index) => ({ name, at: `${at}.base_urls[${index}]` })),
  ];
}
