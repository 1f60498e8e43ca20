import { HoldfastError } from '../../errors/index.ts';

export function kubeconfigError(message: string, remedy: string, cause?: unknown): HoldfastError {
  return new HoldfastError('HF_KUBECONFIG_INVALID', message, { remedy, ...(cause === undefined ? {} : { cause }) });
}
