/** What is to be paid, by due day; the files that were made of it; and the bank's answers to them. */
import { z } from 'zod';
import { countUnmatched } from '../../bank/statements/told-store.ts';
import { byDueGroup, type Payable } from '../../domain/purchases/payables/payable.ts';
import { refuse } from '../../lib/errors.ts';
import { listPayables } from '../../purchases/payment-files/register.ts';
import { takeBankAnswer } from '../../purchases/payment-files/service.ts';
import { listPaymentFiles } from '../../purchases/payment-files/store.ts';
import { field } from '../fields.ts';
import { type Fields, textOf } from '../form-fields.ts';
import { amountText, count, kronor, moment } from '../format.ts';
import type { Pages } from '../page.ts';
import { type FormInput, nothingTyped, type View, type Visit } from '../visit.ts';
import { fileChip, groupWords, obstacleText } from './payment-words.ts';

export const home = '/betalningar';
const tabs = [
  { name: '', label: 'Att betala' },
  { name: 'filer', label: 'Betalfiler' },
] as const;
/** What is ticked stands in an address, which is only so long. */
export const chosenMax = 250;
const filesShown = 100;

export function registerPaymentPages(pages: Pages): void {
  pages.show({ url: home, right: 'read', show: (visit) => showPayments(visit, nothingTyped) });
  pages.act({
    url: '/betalningar/svar',
    right: 'keep_books',
    show: (visit, input) => showPayments({ ...visit, query: { flik: 'filer' } }, input),
    perform: async ({ tx, files, person }) => {
      const sent = files.find(({ name }) => name === 'answer');
      if (!sent) {
        const message = 'Välj filen med bankens svar.';
        throw refuse('invalid_request', [{ path: 'answer', reason: 'required', message }]);
      }
      if (sent.size === 0) {
        const message = `${sent.fileName} är tom. Hämta den igen från banken.`;
        throw refuse('invalid_request', [{ path: 'answer', reason: 'file_empty', message }]);
      }
      const taken = await sent.use((bytes) => takeBankAnswer(tx, bytes, person.actor));
      const { accepted, refused, refusedPaid, pending } = taken;
      const doubt =
        refusedPaid === 0 ? '' : ` ${count(refusedPaid)} av dem är bokförda som betalda; se efter.`;
      const waiting = pending === 0 ? '' : ` ${count(pending)} väntar på ett senare svar.`;
      const notice = `Bankens svar är inläst: ${count(accepted)} godtagna, ${count(refused)} avvisade.${doubt}${waiting}`;
      return { to: `${home}/${taken.id}`, notice };
    },
  });
}

async function showPayments(visit: Visit, input: FormInput): Promise<View> {
  const tab = tabs.find(({ name }) => name === textOf(visit.query, 'flik')) ?? tabs[0];
  const shared = {
    tabs: tabs.map((one) => ({
      href: one.name === '' ? home : `${home}?flik=${one.name}`,
      label: one.label,
      isCurrent: one === tab,
    })),
  };
  return tab.name === 'filer' ? showFiles(visit, input, shared) : showDue(visit, shared);
}

async function showDue({ tx, today }: Visit, shared: object): Promise<View> {
  const payables = await listPayables(tx, today);
  const groups = byDueGroup(payables, today);
  const unmatched = await countUnmatched(tx, 'out');
  const shown = new Set(groups.flatMap((group) => group.payables).slice(0, chosenMax));
  return {
    template: 'payments',
    title: 'Betalningar',
    scripts: ['inbox'],
    values: {
      ...shared,
      unmatched: unmatched === 0 ? null : outWords(unmatched),
      left: payables.length > chosenMax ? count(payables.length - chosenMax) : null,
      mayChoose: payables.some(({ obstacle }) => obstacle === null),
      figures: groups.map(({ group, ore, payables: some }) => ({
        label: groupWords[group],
        value: kronor(ore),
        note: some.length === 1 ? '1 post' : `${count(some.length)} poster`,
      })),
      groups: groups
        .map(({ group, ore, payables: some }) => ({
          label: groupWords[group],
          sum: kronor(ore),
          rows: some
            .filter((one) => shown.has(one))
            .map((one) => payableRow(one, group !== 'later')),
        }))
        .filter(({ rows }) => rows.length > 0),
    },
  };
}

const outWords = (rows: number): string =>
  rows === 1
    ? '1 utbetalning på banken är inte matchad än; den kan ha betalat något här.'
    : `${count(rows)} utbetalningar på banken är inte matchade än; någon av dem kan ha betalat något här.`;

const kindTexts: Readonly<Record<Payable['kind'], string>> = {
  invoice: '',
  credit_note: 'kreditfaktura',
  outlay: 'utlägg',
  tax: '',
};

function payableRow(payable: Payable, isSoon: boolean) {
  const { key, kind, party, number, dueOn, openOre, obstacle, file, refusedIn, payees } = payable;
  return {
    key,
    name: party.name,
    what: kindTexts[kind],
    href: kind === 'tax' ? null : `/leverantorsinkorg/${key}`,
    number,
    due: dueOn,
    amount: amountText(openOre),
    ore: String(openOre),
    mayTick: obstacle === null,
    // A credit note is set off when somebody says so.
    isTicked: isSoon && openOre > 0n && payees.length > 0,
    obstacle: obstacleText(payable),
    file: file && { href: `${home}/${file.id}`, number: file.number },
    refusedIn: refusedIn && { href: `${home}/${refusedIn.id}`, number: refusedIn.number },
  };
}

async function showFiles(
  { tx, query, deps }: Visit,
  input: FormInput,
  shared: object,
): Promise<View> {
  const { timeZone } = deps.config;
  const before = numberOf(query);
  const found = await listPaymentFiles(tx, { before, limit: filesShown + 1 });
  const files = found.slice(0, filesShown);
  const last = files.at(-1);
  return {
    template: 'payment-files',
    title: 'Betalfiler',
    values: {
      ...shared,
      files: files.map((file) => ({
        href: `${home}/${file.id}`,
        number: file.number,
        at: moment(file.created_at, timeZone),
        days:
          file.first_day === file.last_day ? file.first_day : `${file.first_day}–${file.last_day}`,
        payouts: count(file.payouts),
        total: amountText(file.total_ore),
        chip: fileChip(file),
      })),
      answer: field(input, 'answer', 'Bankens svar (pain.002)', {
        type: 'file',
        accept: '.xml',
        isRequired: true,
        help: 'Filen som banken lämnar när den har läst en betalfil. Det den avvisar blir öppet igen, med skälet.',
      }),
      pager: {
        next: found.length > filesShown && last ? `${home}?flik=filer&efter=${last.number}` : null,
        first: before === null ? null : `${home}?flik=filer`,
      },
    },
  };
}

const numberMax = 2_147_483_647;

function numberOf(query: Fields): number | null {
  const typed = z.coerce.number().int().min(1).max(numberMax).safeParse(textOf(query, 'efter'));
  return typed.success ? typed.data : null;
}
