/** "Now" and "today" as an argument, so that tests can set them; and moments as a time zone has them. */
export interface Clock {
  readonly now: () => Date;
  /** Today's date, YYYY-MM-DD, in the installation's time zone. */
  readonly today: () => string;
}

export const systemClock = (timeZone: string): Clock => ({
  now: () => new Date(),
  today: () => dayOf(new Date(), timeZone),
});

const styles = {
  minute: { dateStyle: 'short', timeStyle: 'short' },
  second: { dateStyle: 'short', timeStyle: 'medium' },
  offset: { timeZoneName: 'longOffset' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** Making a format costs more than using it. The Swedish locale writes dates as ISO 8601. */
const formats = new Map<string, Intl.DateTimeFormat>();
function formatOf(style: keyof typeof styles, timeZone: string): Intl.DateTimeFormat {
  const name = `${style} ${timeZone}`;
  const format = formats.get(name) ?? new Intl.DateTimeFormat('sv', { timeZone, ...styles[style] });
  formats.set(name, format);
  return format;
}

/** `2026-11-21 10:38` in the time zone. */
export const momentOf = (at: Date, timeZone: string): string =>
  formatOf('minute', timeZone).format(at);

/** `2026-11-21 10:38:05` in the time zone. */
export const secondOf = (at: Date, timeZone: string): string =>
  formatOf('second', timeZone).format(at);

/** The date, YYYY-MM-DD, that it is in the time zone. */
export const dayOf = (at: Date, timeZone: string): string => momentOf(at, timeZone).slice(0, 10);

/** `2026-11-21T10:38:05.123+01:00`: the time zone's own clock, and still the same moment everywhere. */
export function isoOf(at: Date, timeZone: string): string {
  const parts = formatOf('offset', timeZone).formatToParts(at);
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value.slice('GMT'.length);
  const milliseconds = String(at.getUTCMilliseconds()).padStart(3, '0');
  return `${secondOf(at, timeZone).replace(' ', 'T')}.${milliseconds}${offset?.replace('\u2212', '-') || '+00:00'}`;
}
