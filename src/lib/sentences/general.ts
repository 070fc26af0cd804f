/** Reasons that belong to no noun. */
import { say } from '../language.ts';
import type { Given, Sentences } from './words.ts';

export const generalSentences = {
  more_problems: ({ more }: Given<'more'>) =>
    say`Ytterligare ${more} fel visas inte. Rätta felen ovan och försök igen.`,
  in_the_future: ({ date, today }: Given<'date' | 'today'>) =>
    say`${date} har inte varit än; skriv dagen det hände, senast ${today}.`,
  external_id_taken: () =>
    say`En annan i samma register kallas redan så i andra system. Sök på det där, och ta bort det därifrån först.`,
  no_date: 'Skriv ett datum, ÅÅÅÅ-MM-DD.',
  day_too_late: ({ lastDay }: Given<'lastDay'>) => say`Välj en dag till och med ${lastDay}.`,
  before_start: 'Sista dagen ligger före den första.',
  unreadable_cursor: 'cursor går inte att läsa; skicka next_cursor oförändrad.',
  foreign_cursor: 'cursor hör till ett annat filter; behåll filtret eller börja om utan cursor.',
} satisfies Sentences;
