/** Returns why a server could not listen on a port, as the second half of a sentence. */
export function whyNoPort(error: unknown): string {
  const { code = '', message = '' } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return 'another program uses it';
  return code === 'EACCES' ? 'you may not use it (EACCES)' : code || message;
}
