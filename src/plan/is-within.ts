/** Whether a path is a directory or lies below it. Both absolute and normalised. */
export function isWithin(path: string, directory: string): boolean {
  return path === directory || directory === '/' || path.startsWith(`${directory}/`);
}
