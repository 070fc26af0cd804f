/** What is worth doing before a year is closed, in order, and what remains of each: for pages and the command line. */
import type { Db, Tx } from '../../db/pool.ts';
import { isPersonalNumber } from '../../domain/basics/identifiers.ts';
import { type Adjustment, personalTaxes } from '../../domain/ledger/year-end.ts';
import { refuseWhole } from '../../lib/errors.ts';
import { sha256Of } from '../../lib/sha256.ts';
import { formatKronor } from '../../lib/swedish.ts';
import { lockLedger } from '../locks/store.ts';
import { isRevalued, openRevaluationAt } from './revaluation.ts';
import { findRevaluationRates } from './revaluation-store.ts';
import {
  type FiscalYear,
  getClosingChecks,
  getOrganizationNumber,
  getYear,
  listYearChanges,
} from './store.ts';

export const closingStepNames = {
  invoices: 'Kundfakturor',
  purchases: 'Leverantörsfakturor',
  bank: 'Bank',
  months: 'Månadsavslut',
  vat: 'Moms',
  accruals: 'Periodiseringar',
  depreciation: 'Avskrivningar',
  currency: 'Fordringar och skulder i annan valuta',
  personal_tax: 'Skatt som hör till ägaren',
  result: 'Årets resultat',
} as const;

export const adjustmentNames: Readonly<Record<Adjustment, string>> = {
  pension_tax: 'Särskild löneskatt på pensionskostnader',
  tax_allocation: 'Avsättning till periodiseringsfond',
  income_tax: 'Årets skatt',
};

export interface ClosingStep {
  readonly step: keyof typeof closingStepNames;
  readonly name: string;
  /** Null when nothing is. */
  readonly left: string | null;
}

/** One or several of a thing, in words. */
const counted = (count: number, one: string, several: (count: number) => string): string | null =>
  count === 0 ? null : count === 1 ? one : several(count);

export async function listClosingSteps(
  db: Db,
  year: FiscalYear,
  today: string,
): Promise<ClosingStep[]> {
  const checks = await getClosingChecks(db, year);
  const left: Readonly<Record<ClosingStep['step'], string | null>> = {
    invoices: checks.invoice_drafts ? 'Det finns fakturautkast med datum i året.' : null,
    purchases: checks.purchases_waiting
      ? 'Det finns leverantörsfakturor från året som ingen har tagit ställning till.'
      : null,
    bank: checks.bank_unmatched ? 'Det finns bankrader från året utan verifikat.' : null,
    months: counted(
      checks.months_not_acknowledged,
      'En månad är inte avslutad.',
      (count) => `${count} månader är inte avslutade.`,
    ),
    vat:
      counted(
        checks.vat_not_filed,
        'En momsperiod är inte antecknad som lämnad.',
        (count) => `${count} momsperioder är inte antecknade som lämnade.`,
      ) ??
      counted(
        checks.vat_not_settled,
        'En lämnad momsperiods moms står kvar på 2610–2649 och är inte bokad till 2650.',
        (count) =>
          `${count} lämnade momsperioders moms står kvar på 2610–2649 och är inte bokad till 2650.`,
      ),
    accruals: counted(
      checks.accruals_unposted,
      'En del av en periodisering eller avskrivning har inte bokförts.',
      (count) => `${count} delar av periodiseringar och avskrivningar har inte bokförts.`,
    ),
    depreciation: checks.wears_unwritten
      ? 'Det finns anläggningstillgångar på 10xx–12xx, men ingen avskrivning (78xx) är bokförd i året.'
      : null,
    currency: await currencyLeft(db, year, today),
    personal_tax: await personalTaxLeft(db, year),
    result:
      year.undisposed_ore === 0n
        ? null
        : `Årets resultat, ${formatKronor(year.undisposed_ore)}, är inte bokfört mot eget kapital.`,
  };
  return (Object.keys(closingStepNames) as ClosingStep['step'][]).map((step) => ({
    step,
    name: closingStepNames[step],
    left: left[step],
  }));
}

/** What remains, as a hidden field of the form that closes the year. */
export const markOfLeft = (steps: readonly ClosingStep[]): string =>
  sha256Of(...steps.map(({ left }) => `${left ?? ''}\n`)).toString('base64url', 0, 12);

/** Throws 422 when something else remains than what whoever closes the year saw; else holds the books. */
export async function requireSeenLeft(
  tx: Tx,
  { year, today, seen }: { readonly year: number; readonly today: string; readonly seen: string },
): Promise<void> {
  await lockLedger(tx);
  const steps = await listClosingSteps(tx, await getYear(tx, year), today);
  if (markOfLeft(steps) !== seen) throw refuseWhole('unprocessable', 'closing_changed_meanwhile');
}

async function currencyLeft(
  db: Db,
  { year, end }: FiscalYear,
  today: string,
): Promise<string | null> {
  const open = await openRevaluationAt(db, end);
  const { items, booked } = open;
  if (end >= today) {
    return counted(
      items.length,
      'En faktura i en annan valuta är öppen. Är den det när året har tagit slut räknas den om till balansdagens kurs.',
      (count) =>
        `${count} fakturor i andra valutor är öppna. De som är det när året har tagit slut räknas om till balansdagens kurs.`,
    );
  }
  const rates = await findRevaluationRates(db, year);
  if (rates !== null) {
    return isRevalued(open, rates)
      ? null
      : 'Det som är omräknat till balansdagens kurs stämmer inte längre med det som var öppet när året slutade: räkna om igen.';
  }
  // By another program, out of a SIE file.
  if (booked.length > 0) return null;
  return counted(
    items.length,
    'En faktura i en annan valuta var öppen när året slutade, och är inte omräknad till balansdagens kurs.',
    (count) =>
      `${count} fakturor i andra valutor var öppna när året slutade, och är inte omräknade till balansdagens kurs.`,
  );
}

/** A sole trader's books may have such tax out of an older program; nothing else adds to it (`ledger.personal_tax_problems`). */
async function personalTaxLeft(db: Db, year: FiscalYear): Promise<string | null> {
  if (!isPersonalNumber(await getOrganizationNumber(db))) return null;
  const found = (await listYearChanges(db, year, personalTaxes)).map(
    ({ account, balanceOre }) => `${account} (${formatKronor(balanceOre)})`,
  );
  return found.length === 0
    ? null
    : `En enskild näringsidkare bokför ingen skatt på årets resultat, men det finns på ${found.join(', ')}. För beloppet till 2012 (ägarens skatt), eller rätta verifikaten.`;
}
