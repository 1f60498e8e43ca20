import { buildEnvironment } from '../policy/settings/build-environment.ts';
import type { PlacePlan } from './place-plan.ts';

/** The secrets that enter a box because somebody has written their names out, each with where: a line for a person. */
export function environmentNotice({ environment: rules }: Pick<PlacePlan, 'environment'>, host: Readonly<Record<string, string | undefined>>): readonly string[] {
  if (Object.keys(rules.named).length === 0) return [];
  return buildEnvironment(rules, host).acknowledged.map(({ name, rule, file, line }) => `${name} enters the box (${rule}, ${file}${line === 0 ? '' : `:${line}`})`);
}
