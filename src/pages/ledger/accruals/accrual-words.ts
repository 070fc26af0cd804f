/** What each kind of accrual asks, and where it is asked. */
import type { AccrualKind } from '../../../domain/ledger/accrual.ts';

interface KindWords {
  /** In the address. */
  readonly place: string;
  readonly lead: string;
  readonly result: string;
  readonly balance: string;
}

export const kindWords: Readonly<Record<AccrualKind, KindWords>> = {
  prepaid_cost: {
    place: 'forutbetald-kostnad',
    lead: 'Betald eller fakturerad nu, men hör till kommande månader: försäkring, hyra, licens. Kostnaden flyttas till balanskontot, och varje månad tar tillbaka sin del.',
    result: 'Kostnadskonto',
    balance: 'Balanskonto',
  },
  prepaid_income: {
    place: 'forutbetald-intakt',
    lead: 'Fakturerad nu, men utförs under kommande månader: serviceavtal, abonnemang. Intäkten flyttas till balanskontot, och varje månad får sin del. Momsen räknas inte om.',
    result: 'Intäktskonto',
    balance: 'Balanskonto',
  },
  accrued_cost: {
    place: 'upplupen-kostnad',
    lead: 'Förbrukad nu, men fakturan kommer senare: el, ränta, revision. Varje månad får sin del när den slutar, och allt återförs dagen efter den sista månaden, då fakturan tar vid.',
    result: 'Kostnadskonto',
    balance: 'Balanskonto',
  },
  accrued_income: {
    place: 'upplupen-intakt',
    lead: 'Utförd nu, men faktureras senare. Varje månad får sin del när den slutar, och allt återförs dagen efter den sista månaden, då fakturan tar vid.',
    result: 'Intäktskonto',
    balance: 'Balanskonto',
  },
  depreciation: {
    place: 'avskrivning',
    lead: 'En inventarie eller byggnad som slits under flera år: varje månad bär sin del av det som ska skrivas av. Restvärdet räknas inte med.',
    result: 'Kostnadskonto',
    balance: 'Balanskonto',
  },
};
