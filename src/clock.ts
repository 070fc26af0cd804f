/** "Now" and "today" as an argument, so that tests can set them. */
export interface Clock {
  readonly now: () => Date;
  /** Today's date, YYYY-MM-DD, in the installation's time zone. */
  readonly today: () => string;
}

export function systemClock(timeZone: string): Clock {
  // The Swedish locale writes dates as ISO 8601.
  const format = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short' });
  return { now: () => new Date(), today: () => format.format(new Date()) };
}
