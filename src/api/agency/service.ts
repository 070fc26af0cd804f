/** A key for a token, and a token for the one answer it opens. */
import type { z } from 'zod';
import { agencyKeyForm } from '../../access/agency/keys.ts';
import {
  createToken,
  findKey,
  getAggregate,
  type RawAggregate,
} from '../../access/agency/store.ts';
import { createSecret, hashOfSecret } from '../../access/keys/secrets.ts';
import type { Db } from '../../db/pool.ts';
import { reading } from '../../db/refusals.ts';
import { monthOf } from '../../domain/basics/dates.ts';
import { nextVatDueDate } from '../../domain/ledger/vat-deadlines.ts';
import { AppError } from '../../lib/errors.ts';
import { type aggregate, type token, tokenSeconds } from './schemas.ts';

type Token = z.infer<typeof token>;
type Aggregate = z.infer<typeof aggregate>;

const tokenPrefix = 'svct_';

export async function exchange(db: Db, secret: string | undefined): Promise<Token> {
  if (!secret || !agencyKeyForm.test(secret)) throw unknownKey();
  const keyHash = hashOfSecret(secret);
  const { outcome, agency } = await findKey(db, keyHash);
  if (outcome === 'unauthorized') throw unknownKey();
  if (outcome === 'key_revoked') throw withdrawn();
  const accessToken = createSecret(tokenPrefix);
  const token = { keyHash, hash: hashOfSecret(accessToken), seconds: tokenSeconds };
  const expiresAt = await createToken(db, token).catch((cause) => {
    throw new AppError('token_unavailable', 'Ingen token kunde skapas; försök igen strax.', {
      headers: { 'retry-after': '5' },
      cause,
    });
  });
  if (expiresAt === null) throw withdrawn();
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: tokenSeconds,
    expires_at: expiresAt,
    scopes: ['stats:read'],
    agency,
  };
}

export async function readAggregate(
  db: Db,
  secret: string | undefined,
  day: { readonly today: string; readonly timeZone: string },
): Promise<Aggregate> {
  if (!secret?.startsWith(tokenPrefix)) throw unknownToken();
  const judged = await reading(() => getAggregate(db, hashOfSecret(secret), day));
  if (judged.outcome === 'granted') return aggregateOf(judged.answer, day.today);
  throw judged.outcome === 'no_access'
    ? new AppError(
        'no_access',
        'Företaget har tagit tillbaka byråns behörighet; ingenting kan läsas längre.',
      )
    : unknownToken();
}

/** A key never expires; a token does. */
const unknownKey = (): AppError => unknownSecret('Byrånyckeln saknas eller är okänd');
const unknownToken = (): AppError => unknownSecret('Token saknas, är okänd eller har gått ut');

function unknownSecret(what: string): AppError {
  return new AppError(
    'unauthorized',
    `${what}. Skicka den som Authorization: Bearer … i en enda rubrik.`,
    { headers: { 'www-authenticate': 'Bearer' } },
  );
}

function withdrawn(): AppError {
  return new AppError(
    'key_revoked',
    'Företaget har tagit tillbaka byråns behörighet; be om en ny byrånyckel om den behövs.',
  );
}

function aggregateOf(raw: RawAggregate, today: string): Aggregate {
  const years = raw.fiscal_years ?? [];
  const year = years.find(({ start, end }) => start <= today && today <= end) ?? years.at(-1);
  if (!year)
    throw new AppError(
      'db_error',
      'Företaget har inget räkenskapsår ännu; försök igen när det har lagts upp i Huvudbok.',
    );
  const failing = raw.open_month_failing as Aggregate['open_month_failing'];
  const status = failing.length > 0 ? 'in_progress' : 'ready';
  return {
    schema_version: 1,
    installation_schema_version: raw.installation_schema_version,
    period: monthOf(today).replace('-', ''),
    unbooked_count: raw.unbooked_count,
    attachments_missing: raw.attachments_missing,
    unmatched_bank: raw.unmatched_bank,
    last_verification: raw.last_verification,
    period_locked_to: raw.period_locked_to,
    vat_due_date: nextVatDueDate(raw.vat, years, today),
    fiscal_year: { start: year.start, end: year.end, status: year.status },
    last_closed_month: raw.last_closed_month,
    open_month: raw.open_month,
    open_month_status: raw.open_month === null ? null : status,
    open_month_failing: failing,
    months_behind: raw.months_behind,
  };
}
