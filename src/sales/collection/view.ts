/** A collection case as a person reads it: every value a Swedish text, ready for a template. */

import { parseDecimal } from '../../domain/basics/money.ts';
import type { CollectionCase } from '../../domain/sales/collection-case.ts';
import { dayOf } from '../../lib/clock.ts';
import { decimalText, formatKronor } from '../../lib/swedish.ts';
import { rowTable } from '../../render/row-table.ts';
import {
  addressLines,
  facts,
  orgNumberText,
  paymentAccountText,
  runningTexts,
} from '../../render/wording.ts';

/**
 * `digest` is the case's SHA-256, by which a page and a file are known to be the same case; `timeZone` tells
 * which day it was prepared.
 */
export function caseView(subject: CollectionCase, digest: string, timeZone: string) {
  const { creditor, debtor, invoice, interest, claim } = subject;
  const title = `Inkassoärende, faktura ${invoice.invoiceNo}`;
  return {
    title,
    ...runningTexts(title, creditor),
    preparedAt: dayOf(new Date(subject.preparedAt), timeZone),
    digest,
    isDisputed: subject.disputed,
    parties: [
      {
        label: 'Borgenär',
        name: creditor.name,
        facts: facts([
          ['Org.nr', orgNumberText(creditor.orgNumber)],
          ['Adress', addressLines(creditor).join(', ')],
          ['E-post', creditor.email],
          ['Telefon', creditor.phone],
          ['Bankgiro', paymentAccountText('bankgiro', creditor.bankgiro)],
          ['Plusgiro', paymentAccountText('plusgiro', creditor.plusgiro)],
          ['IBAN', paymentAccountText('iban', creditor.iban)],
          ['Kundnummer hos ombudet', creditor.partnerAccount],
        ]),
      },
      {
        label: 'Gäldenär',
        name: debtor.name,
        facts: facts([
          ['Org.nr', orgNumberText(debtor.orgNumber)],
          ['Momsnr', debtor.vatNumber],
          ['Adress', addressLines({ ...debtor, countryCode: debtor.country }).join(', ')],
          ['E-post', debtor.email],
          ['Telefon', debtor.phone],
          ['Er referens', debtor.yourReference],
        ]),
      },
    ],
    claim: [
      { label: 'Kapital', value: kronor(claim.principal.amount) },
      { label: `Ränta till och med ${interest.toDate}`, value: kronor(claim.interest.amount) },
      { label: 'Påminnelseavgifter', value: kronor(claim.reminderFees.amount) },
    ],
    total: kronor(claim.total.amount),
    invoice: facts([
      ['Fakturanummer', String(invoice.invoiceNo)],
      ['OCR', invoice.ocr],
      ['Fakturadatum', invoice.invoiceDate],
      ['Förfallodag', invoice.dueDate],
      ['Netto', kronor(invoice.netAmount)],
      ['Moms', kronor(invoice.vatAmount)],
      ['Öresutjämning', invoice.rounding === 0 ? null : kronor(invoice.rounding)],
      ['Fakturans belopp', kronor(invoice.totalAmount)],
    ]),
    notes: invoice.notes ?? '',
    ...linesView(invoice.lines),
    payments: subject.payments.map(({ date, amount }) => ({ date, amount: kronor(amount) })),
    reminders: subject.reminders.map(({ reminderNo, sentDate, fee }) => ({
      reminderNo: String(reminderNo),
      sentDate,
      fee: kronor(fee),
    })),
    rateText:
      interest.agreedRatePct === null
        ? 'Ränta enligt 6 § räntelagen: referensräntan med tillägg av åtta procentenheter.'
        : `Avtalad ränta ${decimal(interest.agreedRatePct)} % per år.`,
    basisText: basisTexts[interest.basis ?? 'none'],
    segments: interest.segments.map((segment) => ({
      span: `${segment.from} – ${segment.to}`,
      days: String(segment.days),
      rate: `${decimal(segment.ratePct)} %`,
      balance: kronor(segment.balance),
      amount: kronor(segment.amount),
    })),
    missing: interest.missingPeriods.map(({ from, to }) => `${from} – ${to}`).join(', '),
  };
}

function linesView(lines: CollectionCase['invoice']['lines']) {
  const shown = lines.map((line) => ({
    ...line,
    quantityE4: scaled(line.quantity),
    unitPriceE4: scaled(line.unitPrice),
    discountE2: parseDecimal(line.discountPct, 2) ?? 0n,
    vatRate: line.vatRatePct,
    amount: kronor(line.lineAmount),
  }));
  const { columns, cellsOf } = rowTable(shown, {
    unitPrice: 'À-pris utan moms',
    amount: 'Belopp utan moms',
  });
  return {
    columns,
    lines: lines.map(({ rowNo, description }, index) => ({
      rowNo: String(rowNo),
      description,
      cells: shown[index] ? cellsOf(shown[index]) : [],
    })),
  };
}

const basisTexts = {
  rantelagen_3:
    'Enkel ränta, faktiska dagar av 365, från dagen efter förfallodagen, som var avtalad i förväg (3 § räntelagen).',
  rantelagen_4:
    'Enkel ränta, faktiska dagar av 365, sedan 30 dagar har gått från att fakturan sändes, dock tidigast efter förfallodagen (4 § räntelagen).',
  none: 'Ingen ränta begärs: förfallodagen var inte avtalad i förväg, och fakturan angav inte att ränta tas ut (4 § räntelagen).',
} as const;

const kronor = (amount: number): string => formatKronor(parseDecimal(amount, 2) ?? 0n);

const scaled = (value: number): bigint => parseDecimal(value, 4) ?? 0n;
const decimal = (value: number): string => decimalText(scaled(value));
