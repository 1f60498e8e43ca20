import { HoldfastError } from '../../errors/index.ts';

export function invalidCall(message: string): HoldfastError {
  return new HoldfastError('HF_HOOK_INVALID', message, {
    remedy:
      'bring the agent and Holdfast to versions that go together; until then use the agent inside of `holdfast run`, or the tools of `holdfast mcp`',
  });
}

/** Of one call. Attack: the server is held up by one with so many that all others wait. */
const most = 1000;

/** @throws HoldfastError `HF_HOOK_INVALID` */
export function few<Item>(items: readonly Item[]): readonly Item[] {
  if (items.length <= most) return items;
  throw invalidCall(`a call names more than ${most} paths or hosts`);
}
