import type { monthConditions } from '../../domain/ledger/month-conditions.ts';

/** What holds when each condition of a month end is met, for whoever writes a client. */
export const conditionMeanings: Readonly<Record<keyof typeof monthConditions, string>> = {
  bank: 'Every bank row has a voucher, and the balance of the bank is that of the books.',
  underlag: 'Every voucher of the month has its document.',
  leverantorsinkorg: 'No supplier invoice waits for a decision.',
  orderinkorg: 'No order has stopped.',
  kundfakturor: 'No invoice draft waits to be booked.',
  kundreskontra: 'What customers owed at the end of the month is what account 1510 showed.',
  leverantorsreskontra:
    'What suppliers were owed at the end of the month is what account 2440 showed.',
  moms: 'No VAT period that ends with the month remains to be filed.',
  obs_konto: 'Nothing is left on the suspense accounts 1999 and 2999.',
  verifikationsnummer:
    'No series has gaps, and the latest verification of the books found no fault.',
  kassa:
    'Cash (1910–1919) was never below zero at the end of a day of the month, and no till report has stopped.',
  periodisering: 'What accruals and depreciation have in the month is booked.',
};
