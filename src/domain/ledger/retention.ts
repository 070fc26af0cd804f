/**
 * The last day on which the books of a fiscal year must be kept: through the seventh year after the calendar
 * year in which it ended (bokföringslagen 7 kap. 2 §). Nothing is ever removed because the day has passed.
 */
export const keptThrough = (fiscalYearEnd: string): string =>
  `${Number(fiscalYearEnd.slice(0, 4)) + 7}-12-31`;
