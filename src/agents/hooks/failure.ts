import { HoldfastError } from '../../errors/index.ts';

export function invalidCall(message: string): HoldfastError {
  return new HoldfastError('HF_HOOK_INVALID', message, { remedy: 'bring the agent and Holdfast to versions that go together; until then use the agent inside of `holdfast run`, or the tools of `holdfast mcp`' });
}
