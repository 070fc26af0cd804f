/** A VAT period: its return, what speaks against it, the voucher that settles it, and that it is filed. */
import { z } from 'zod';
import { listActorNames } from '../../../audit/actors.ts';
import { isDate } from '../../../domain/basics/dates.ts';
import { sum } from '../../../domain/basics/money.ts';
import { noteFault } from '../../../domain/ledger/vat-file.ts';
import { vatReturnOf } from '../../../domain/ledger/vat-return.ts';
import {
  unsettledVat,
  vatSettlementRows,
  vatToPay,
} from '../../../domain/ledger/vat-settlement.ts';
import { labelOf } from '../../../domain/ledger/voucher.ts';
import { findYearOf, listAccountNames } from '../../../ledger/fiscal-years/store.ts';
import { getLocks } from '../../../ledger/locks/store.ts';
import { assignToPeriod, takeBackAssignment } from '../../../ledger/vat-filings/assignments.ts';
import {
  type VatReturnFile,
  vatFileAsFiled,
  vatFileOfNow,
} from '../../../ledger/vat-filings/file.ts';
import { readVatPeriod } from '../../../ledger/vat-filings/reading.ts';
import {
  fileVatReturn,
  findVatPeriod,
  getVatPeriod,
  settlementDay,
  settleVat,
  withdrawVatFiling,
} from '../../../ledger/vat-filings/service.ts';
import {
  listFilingsWithin,
  listSettlements,
  listVatOfPeriod,
} from '../../../ledger/vat-filings/store.ts';
import { AppError, refuse } from '../../../lib/errors.ts';
import { sentenceFor } from '../../../lib/sentences/say.ts';
import { field, formOf } from '../../fields.ts';
import { textOf } from '../../form-fields.ts';
import { amountText, dayInWords, kronor, monthInWords } from '../../format.ts';
import { day, integer, optional, optionalText, text, uuid } from '../../inputs.ts';
import type { Pages } from '../../page.ts';
import {
  type FileAnswer,
  type FormInput,
  nothingTyped,
  type View,
  type Visit,
} from '../../visit.ts';
import {
  shownControls,
  shownFiled,
  shownMending,
  shownReturn,
  statementLinks,
} from './period-view.ts';

type OfPeriod = Visit<{ end: string }>;
const params = z.object({ end: z.string().refine(isDate) });
const mending = params.extend({ id: uuid });
const addressOf = (end: string): string => `/moms/${end}`;

const filingFields = z
  .object({
    way: z.enum(['file', 'other']).optional(),
    on: optional(day),
    reference: optionalText(100),
    note: optionalText(1_000),
  })
  .superRefine(({ way, on, reference }, context) => {
    const fault = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message, params: { reason: 'required' } });
    if (way !== 'other') {
      // Nothing that is typed is let go unsaid.
      if (reference !== null) {
        fault('way', 'Välj "På annat sätt", eller ta bort referensen: filen har ingen.');
      }
      return;
    }
    if (on === null) fault('on', 'Ange dagen den lämnades.');
    if (reference === null)
      fault('reference', 'Ange vad den lämnades som, t.ex. kvittensens nummer.');
  });

export function registerVatPeriodPages(pages: Pages): void {
  const place = { params, show: showPeriod } as const;
  pages.show({
    url: '/moms/:end',
    right: 'read',
    params,
    show: (visit) => showPeriod(visit, nothingTyped),
  });
  pages.act({
    ...place,
    url: '/moms/:end/omforing',
    right: 'keep_books',
    perform: async ({ tx, person, today, params: { end } }) => {
      const { voucher } = await settleVat(tx, { end, today }, person.actor);
      return voucher
        ? {
            to: addressOf(end),
            notice: `Momsen är bokad till 2650 med ${voucher.series}${voucher.number}.`,
          }
        : { to: addressOf(end), notice: 'Momskontona är redan tömda för perioden.' };
    },
  });
  pages.act({
    ...place,
    url: '/moms/:end/lamnad',
    right: 'keep_books',
    fields: filingFields,
    perform: async ({ tx, person, today, params: { end } }, { way, on, reference, note }) => {
      const other = way === 'other' ? { other: { on: on ?? '', reference: reference ?? '' } } : {};
      const filed = await fileVatReturn(tx, { end, today, note, ...other }, person.actor);
      const { isNew, number, vat_locked_to: to, unfiledBefore } = filed;
      if (!isNew) {
        const which = number === null ? '' : ` (nummer ${number})`;
        const notice = `Deklarationen var redan antecknad som lämnad${which}; inget nytt är antecknat.`;
        return { to: addressOf(end), notice };
      }
      const locked = to === null ? '' : ` Momsen är låst till och med ${dayInWords(to)}.`;
      const unfiled =
        unfiledBefore.length === 0
          ? ''
          : ` Tidigare perioder som inte är antecknade: ${unfiledBefore.map((one) => `${one.start} – ${one.end}`).join(', ')}.`;
      const notice = `Deklarationen är antecknad som lämnad.${locked}${unfiled}`;
      return { to: addressOf(end), notice };
    },
  });
  pages.act({
    ...place,
    url: '/moms/:end/inte-lamnad',
    right: 'keep_books',
    fields: z.object({ number: optional(integer(1, 999)), reason: text(500) }),
    perform: async ({ tx, person, params: { end } }, { number, reason }) => {
      const holds = await withdrawVatFiling(tx, { end, number, reason }, person.actor);
      const notice =
        holds === null
          ? 'Deklarationen är inte längre antecknad som lämnad. Momslåset står kvar tills en administratör flyttar det.'
          : `Den senaste deklarationen är tillbakatagen. Nummer ${holds} gäller igen, och det som rättar den väntar på en ny.`;
      return { to: addressOf(end), notice };
    },
  });
  registerMending(pages);
}

/** What mends the period, and its returns as files. */
function registerMending(pages: Pages): void {
  const place = { params, show: showPeriod } as const;
  pages.act({
    ...place,
    url: '/moms/:end/rattelser',
    right: 'keep_books',
    fields: z.object({ voucher: text(12), year: integer(1900, 9999) }),
    perform: async ({ tx, person, params: { end } }, { voucher, year }) => {
      const [, series, number] = /^(\p{L}{1,2}|\d)[- ]?(\d{1,9})$/u.exec(voucher) ?? [];
      if (!series || !number) {
        throw refuse('unprocessable', [{ path: 'voucher', reason: 'voucher_label_form' }]);
      }
      const asked = { series, number: Number(number), year };
      const done = await assignToPeriod(tx, { voucher: asked, end }, person.actor);
      return { to: addressOf(end), notice: `${labelOf(done)} räknas till perioden.` };
    },
  });
  pages.act({
    url: '/moms/:end/rattelser/:id',
    right: 'keep_books',
    params: mending,
    perform: async ({ tx, person, params: { end, id } }) => {
      const done = await assignToPeriod(tx, { voucher: { id }, end }, person.actor);
      return { to: addressOf(end), notice: `${labelOf(done)} räknas till perioden.` };
    },
  });
  pages.act({
    url: '/moms/:end/rattelser/:id/ta-tillbaka',
    right: 'keep_books',
    params: mending,
    perform: async ({ tx, person, params: { end, id } }) => {
      const done = await takeBackAssignment(tx, { id }, person.actor);
      return { to: addressOf(end), notice: `${labelOf(done)} räknas där det står, ${done.date}.` };
    },
  });
  pages.show({
    url: '/moms/:end/moms.xml',
    right: 'read',
    params,
    show: async ({ tx, query, params: { end } }) => {
      const note = textOf(query, 'upplysning').trim();
      return answerFile(await vatFileOfNow(tx, await getVatPeriod(tx, end), note || null));
    },
  });
  pages.show({
    url: '/moms/:end/lamnad/:no/moms.xml',
    right: 'read',
    params: params.extend({ no: z.coerce.number().int().min(1).max(999) }),
    show: async ({ tx, params: { end, no } }) =>
      answerFile(await vatFileAsFiled(tx, { end, number: no })),
  });
}

const answerFile = ({ name, content }: VatReturnFile): FileAnswer => ({
  type: 'application/xml; charset=ISO-8859-1',
  content,
  headers: { 'content-disposition': `attachment; filename="${name}"` },
});

async function showPeriod(visit: OfPeriod, input: FormInput): Promise<View> {
  const { tx, today, params, query } = visit;
  const period = await findVatPeriod(tx, params.end);
  if (!period) throw new AppError('not_found', `Ingen momsperiod slutar ${params.end}.`);
  const vat = await listVatOfPeriod(tx, period);
  const unsettled = unsettledVat(vat);
  const read = await readVatPeriod(tx, period);
  const { filing, standing, returns, isMended } = read;
  const names = await listAccountNames(
    tx,
    unsettled.map(({ account }) => account),
  );
  const settleOn = await settlementDay(tx, period.end);
  const { vat_locked_to: lockedTo } = await getLocks(tx);
  const nameOf = await listActorNames(tx, [
    ...(filing ? [filing.filed_by] : []),
    ...returns.map(({ filedBy }) => filedBy),
  ]);
  const toPay = vatToPay(vatSettlementRows(vat));
  const hasEnded = period.end < today;
  // How often VAT is reported has been changed since those days were filed.
  const otherwise = filing ? undefined : (await listFilingsWithin(tx, period))[0];
  const note = textOf(query, 'upplysning').trim();
  const filed = standing && vatReturnOf(standing.parts);
  return {
    template: 'vat-period',
    title: `Moms ${period.start} – ${period.end}`,
    values: {
      end: period.end,
      month: {
        href: `/manadsavslut/${period.end.slice(0, 7)}`,
        text: monthInWords(period.end),
      },
      span: `${dayInWords(period.start)} – ${dayInWords(period.end)}`,
      hasEnded,
      isMended,
      // What was assigned waits on where a filing was noted by mistake.
      hasMending: filing !== null || read.assigned.length > 0,
      mayFile: hasEnded && !otherwise && (filing === null || isMended),
      filedIn: otherwise
        ? { href: addressOf(otherwise.end), span: `${otherwise.start} – ${otherwise.end}` }
        : null,
      ...shownReturn(period.end, filed ?? read.now, filed && isMended ? read.now : null),
      unsettled: unsettled.map(({ account, box, ore }) => ({
        account,
        name: names.get(account) ?? '',
        box: box ?? '–',
        amount: amountText(-ore),
      })),
      total: amountText(-sum(unsettled.map(({ ore }) => ore))),
      toPay: toPay < 0n ? `${kronor(-toPay)} att få tillbaka` : `${kronor(toPay)} att betala`,
      settleOn: settleOn === period.end ? null : dayInWords(settleOn),
      settlements: (await listSettlements(tx, period.end)).map((one) => ({
        href: `/verifikat/${one.id}`,
        label: `${one.series}${one.number}`,
        date: one.verification_date,
      })),
      filing: filing
        ? {
            on: dayInWords(filing.filed_on),
            who: nameOf(filing.filed_by),
            number: standing?.number,
          }
        : null,
      lockedTo: lockedTo === null ? null : dayInWords(lockedTo),
      isLocked: lockedTo !== null && lockedTo >= period.end,
      returns: returns.map((one) => shownFiled(one, nameOf(one.filedBy))),
      ...shownControls(read, (await findYearOf(tx, period.end))?.year ?? null),
      ...(await shownMending(tx, read)),
      statements: statementLinks(period, read.now),
      note,
      noteFault: note === '' ? null : faultOf(note),
      file: fileAddress(period.end, note),
      form: formOf(input, formFields(input, { today, note })),
    },
  };
}

const fileAddress = (end: string, note: string): string =>
  `${addressOf(end)}/moms.xml${note === '' ? '' : `?upplysning=${encodeURIComponent(note)}`}`;

function faultOf(note: string): string | null {
  const fault = noteFault(note);
  return fault && sentenceFor('page', fault);
}

const formFields = (input: FormInput, { today, note }: { today: string; note: string }) => ({
  way: field(input, 'way', 'Hur', {
    type: 'radios',
    value: 'file',
    options: [
      { value: 'file', label: 'Med filen från Huvudbok, i dag' },
      { value: 'other', label: 'På annat sätt' },
    ],
  }),
  on: field(input, 'on', 'Dag den lämnades på annat sätt', { type: 'date', value: today }),
  reference: field(input, 'reference', 'Referens', {
    maxLength: 100,
    help: 'Behövs om den lämnades på annat sätt, t.ex. kvittensens nummer.',
  }),
  note: field(input, 'note', 'Upplysning till Skatteverket', { type: 'hidden', value: note }),
  reason: field(input, 'reason', 'Varför anteckningen tas tillbaka', {
    isRequired: true,
    maxLength: 500,
  }),
  voucher: field(input, 'voucher', 'Verifikat', {
    isRequired: true,
    maxLength: 12,
    placeholder: 'A12',
  }),
  year: field(input, 'year', 'Räkenskapsår', {
    isRequired: true,
    maxLength: 4,
    value: today.slice(0, 4),
  }),
});
