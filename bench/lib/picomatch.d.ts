/** What the bench uses of it; it brings no types of its own. */
declare module 'picomatch' {
  const picomatch: (pattern: string, options: { readonly dot: boolean }) => (path: string) => boolean;
  export default picomatch;
}
