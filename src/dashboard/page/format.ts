/** Decimal units, as on the command line. */
export function bytesText(bytes: number): string {
  const unit = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  return `${(bytes / 1000 ** unit).toFixed(unit === 0 ? 0 : 1)} ${units[unit]}`;
}

/** `orMore`: `+` if there are more than were counted. */
export function countText(count: number, what: string, orMore: '+' | '' = ''): string {
  return `${numberText(count)}${orMore} ${what}${count === 1 ? '' : 's'}`;
}

export function numberText(count: number): string {
  return numbers.format(count);
}

/** `163.2M`. */
export function shortText(count: number): string {
  return shortNumbers.format(count);
}

/** The time since an event, or until an event: `now`, `4 min`, `3 h`, `2 d`. */
export function spanText(milliseconds: number): string {
  const seconds = Math.round(Math.abs(milliseconds) / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} d`;
}

/** Local time of this machine, to the second. */
export function clockText(time: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return '–';
  return date.toDateString() === new Date().toDateString()
    ? clock.format(date)
    : `${day.format(date)} ${clock.format(date)}`;
}

/** Created once, because creating one takes longer than drawing a row of a list may take. */
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const numbers = new Intl.NumberFormat('en');
const shortNumbers = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** The last two components, which distinguish workspaces. */
export function shortPath(path: string): string {
  const parts = path.split('/');
  return parts.length <= 3 ? path : `…/${parts.slice(-2).join('/')}`;
}

const units = ['B', 'KB', 'MB', 'GB', 'TB'];
