/** What kinds of accruals, and what is posted of them, are called: on pages, and in small letters at the command line. */
import type { AccrualKind } from '../../domain/ledger/accrual.ts';
import type { AccrualPart } from './store.ts';

export const kindNames: Readonly<Record<AccrualKind, string>> = {
  prepaid_cost: 'Förutbetald kostnad',
  prepaid_income: 'Förutbetald intäkt',
  accrued_cost: 'Upplupen kostnad',
  accrued_income: 'Upplupen intäkt',
  depreciation: 'Avskrivning',
};

export const partNames: Readonly<Record<AccrualPart, string>> = {
  move: 'Flyttas till balanskontot',
  share: 'Månadens del',
  back: 'Återförs',
  rest: 'Det som återstod',
};
