/**
 * Days on which nothing falls due: lag (1989:253) om allmänna helgdagar, with Midsummer Eve,
 * Christmas Eve and New Year's Eve put on a par by lag (1930:173) 2 §. The calendar is that of 2005
 * and later (6 June in, Whit Monday out).
 */
import { addDays, dayOfWeek, join, split } from './dates.ts';

const fixedHolidays = new Set([
  '01-01',
  '01-06',
  '05-01',
  '06-06',
  '12-24',
  '12-25',
  '12-26',
  '12-31',
]);

/** Easter Sunday by the Gregorian computus (Meeus/Jones/Butcher). */
export function easterSunday(year: number): string {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const yearOfCentury = year % 100;
  const correction = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + century - Math.floor(century / 4) - correction + 15) % 30;
  const weekday =
    (32 + 2 * (century % 4) + 2 * Math.floor(yearOfCentury / 4) - epact - (yearOfCentury % 4)) % 7;
  const late = Math.floor((golden + 11 * epact + 22 * weekday) / 451);
  const count = epact + weekday - 7 * late + 114;
  return join({ year, month: Math.floor(count / 31), day: (count % 31) + 1 });
}

/** Whether the date is a Swedish bank holiday or one of the three eves; plain weekends are not. */
export function isHoliday(date: string): boolean {
  if (fixedHolidays.has(date.slice(5))) return true;
  const { year } = split(date);
  const easter = easterSunday(year);
  const midsummerDay = saturdayFrom(join({ year, month: 6, day: 20 }));
  const allSaintsDay = saturdayFrom(join({ year, month: 10, day: 31 }));
  const movable = [
    addDays(easter, -2),
    easter,
    addDays(easter, 1),
    addDays(easter, 39),
    addDays(easter, 49),
    addDays(midsummerDay, -1),
    midsummerDay,
    allSaintsDay,
  ];
  return movable.includes(date);
}

export function isWorkingDay(date: string): boolean {
  return dayOfWeek(date) <= 5 && !isHoliday(date);
}

/** The date itself when it is a working day, else the first working day after it. */
export function nextWorkingDay(date: string): string {
  let day = date;
  while (!isWorkingDay(day)) day = addDays(day, 1);
  return day;
}

function saturdayFrom(date: string): string {
  return addDays(date, (13 - dayOfWeek(date)) % 7);
}
