import { type Sql, sql } from './sql.ts';

/**
 * A name as it is sorted: without regard to case, and å, ä, ö after z whatever the database's own locale
 * is. The same expression as that of the indexes in 0027.
 */
export const alphabetical = (name: Sql): Sql =>
  sql`(translate(lower(${name}), 'åäæöøéèáü', '{||}}eeau') collate "C")`;
