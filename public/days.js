/** Days as people type them: the one place that knows their forms, for pages and server (`src/pages/inputs.ts`) alike. */

const yearFirst = [
  /^(\d{4})-(\d{1,2})-(\d{1,2})$/,
  /^(\d{4})[/.](\d{1,2})[/.](\d{1,2})$/,
  /^(\d{4})(\d\d)(\d\d)$/,
  /^(\d\d)-?(\d\d)-?(\d\d)$/,
];
const dayFirst = [/^(\d{1,2})[/.](\d{1,2})[/. -](\d{4}|\d\d)$/, /^(\d{1,2})-(\d{1,2})-(\d{4})$/];
const withoutYear = /^(\d{1,2})[/.](\d{1,2})\.?$/;

/**
 * `261128`, `20261128`, `2026-11-28`, `28/11`, `28/11 2026`, `28.11.2026` as YYYY-MM-DD; null when it is no day.
 * Without a year it is that of `today`, as in spreadsheets; where `today` is null, as for the server, it is no day.
 */
export function dayOf(typed, today) {
  const text = typed.trim();
  for (const form of yearFirst) {
    const [, year, month, day] = form.exec(text) ?? [];
    if (day) return joined(fullYear(year), month, day);
  }
  for (const form of dayFirst) {
    const [, day, month, year] = form.exec(text) ?? [];
    if (day) return joined(fullYear(year), month, day);
  }
  const [, day, month] = withoutYear.exec(text) ?? [];
  return day && today !== null ? joined(today.slice(0, 4), month, day) : null;
}

const fullYear = (year) => (year.length === 2 ? `20${year}` : year);

function joined(year, month, day) {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const date = new Date(`${text}T00:00:00Z`);
  const isThere = !Number.isNaN(date.valueOf()) && date.toISOString().startsWith(text);
  return isThere && year >= '1900' ? text : null;
}
