import type { Credential } from './types.ts';

export interface PlacedVariable {
  readonly name: string;
  /** Its path in the document. A provider's stand nowhere: their table is the nearest line. */
  readonly at: string;
}

/** Every variable that a credential of the table at `at` gives to the box. */
export function deliveredVariables(
  { delivery: { environment, baseUrls } }: Pick<Credential, 'delivery'>,
  at: string,
): readonly PlacedVariable[] {
  return [
    ...environment.map(({ name }, index) => ({ name, at: `${at}.environment[${index}]` })),
    ...baseUrls.map(({ name }, index) => ({ name, at: `${at}.base_urls[${index}]` })),
  ];
}
