import type { SecretsPlace } from '../../sandbox/credentials/secrets/user-secrets.ts';
import type { CommandInput } from '../command.ts';
import { placeOf } from '../policy/sources.ts';

/** The policies that hold in the working directory, or in `--workspace`. */
export function secretsPlace(input: CommandInput): SecretsPlace {
  return { place: placeOf(input), environment: input.io.environment };
}
