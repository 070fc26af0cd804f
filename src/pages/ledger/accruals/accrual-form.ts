/** Planning what is spread over months: by kind, blank or from a voucher, looked at before it is kept. */
import { z } from 'zod';
import { monthOf } from '../../../domain/basics/dates.ts';
import { absolute } from '../../../domain/basics/money.ts';
import {
  type AccrualKind,
  accrualAccounts,
  accrualKinds,
  isPrepaid,
  notBefore,
  plannedPostings,
} from '../../../domain/ledger/accrual.ts';
import { labelOf } from '../../../domain/ledger/voucher.ts';
import { listUsableAccounts } from '../../../ledger/accounts/store.ts';
import {
  createAccrual,
  judgeAccrual,
  type WrittenAccrual,
} from '../../../ledger/accruals/service.ts';
import { kindNames, partNames } from '../../../ledger/accruals/words.ts';
import { type Dimension, listDimensions } from '../../../ledger/dimensions/store.ts';
import { findYearOf } from '../../../ledger/fiscal-years/store.ts';
import { listSeries } from '../../../ledger/series/store.ts';
import {
  type DetailRow,
  getVoucher,
  listVoucherRows,
  type VoucherDetail,
} from '../../../ledger/vouchers/detail-store.ts';
import { field, formOf } from '../../fields.ts';
import { type Fields, textOf } from '../../form-fields.ts';
import { amountText } from '../../format.ts';
import { account, amount, choice, day, integer, optional, text, uuid } from '../../inputs.ts';
import type { Pages } from '../../page.ts';
import type { FormInput, View, Visit } from '../../visit.ts';
import { kindWords } from './accrual-words.ts';
import { accrualHome } from './accruals.ts';

const address = `${accrualHome}/ny`;

/** `2026-11`, `202611`, `2611` or `11/2026`. */
const month = z
  .string()
  .trim()
  .transform((typed) => typed.replace(/^(\d{1,2})\/(\d{4})$/, '$2-$1'))
  .refine((typed) => /^(\d{4}-\d{1,2}|\d{6}|\d{4})$/.test(typed), 'Skriv en månad, ÅÅÅÅ-MM.')
  .transform((typed) => (typed.includes('-') ? `${typed}-01` : `${typed}01`))
  .pipe(day);

const fields = z
  .object({
    kind: choice(accrualKinds),
    description: text(200),
    amount,
    resultAccount: account,
    balanceAccount: account,
    firstMonth: month,
    months: integer(1, 600),
    movedOn: optional(day),
    sharesOn: choice(['first', 'last']).default('last'),
    series: text(2),
    costCenter: optional(uuid),
    project: optional(uuid),
    lateOn: optional(day),
    verifikat: optional(uuid),
    do: z.string().optional(),
  })
  .transform(({ amount: amountOre, verifikat, do: button, ...typed }) => ({
    written: { ...typed, amountOre, originVoucherId: verifikat } satisfies WrittenAccrual,
    isLookedAt: button === 'look',
  }));

export function registerAccrualForm(pages: Pages): void {
  pages.form({
    url: address,
    right: 'keep_books',
    fields,
    show: (visit, input) => showForm(visit, input, null),
    perform: async (visit, { written, isLookedAt }) => {
      const { tx, today, person } = visit;
      if (isLookedAt) {
        await judgeAccrual(tx, written);
        const sent = { fields: await sentFields(written), problems: [], isSent: true };
        return { to: accrualHome, view: await showForm(visit, sent, written) };
      }
      const { id, posted } = await createAccrual(tx, written, { today, actor: person.actor });
      const notice =
        posted === 0
          ? 'Sparat. Varje del bokförs av sig själv på sin dag.'
          : `Sparat, och ${posted === 1 ? 'ett verifikat' : `${posted} verifikat`} bokfört. Resten bokförs av sig själv på sin dag.`;
      return { to: `${accrualHome}/${id}`, notice };
    },
  });
}

/** What was typed, to stand in the form again. */
const sentFields = async ({
  amountOre,
  originVoucherId,
  ...written
}: WrittenAccrual): Promise<Fields> => ({
  ...Object.fromEntries(
    Object.entries(written).map(([name, value]) => [name, value === null ? '' : String(value)]),
  ),
  amount: amountText(amountOre),
  firstMonth: monthOf(written.firstMonth),
  verifikat: originVoucherId ?? '',
});

/** What stands in a form that nobody has written in. */
interface Beginning {
  readonly kind: AccrualKind;
  readonly origin: VoucherDetail | null;
  readonly row: DetailRow | undefined;
}

/** `?slag=<kind>`; `?verifikat=<id>` takes the largest row of the result, or of what wears out, as its pattern. */
async function beginning({ tx, query }: Visit): Promise<Beginning> {
  const asked = accrualKinds.find((kind) => kindWords[kind].place === textOf(query, 'slag'));
  const id = z.guid().safeParse(textOf(query, 'verifikat')).data;
  if (id === undefined) return { kind: asked ?? 'prepaid_cost', origin: null, row: undefined };
  const origin = await getVoucher(tx, id);
  const rows = await listVoucherRows(tx, id);
  const sizeOf = ({ debit_ore, credit_ore }: DetailRow) => debit_ore + credit_ore;
  const largest = (isMeant: (row: DetailRow) => boolean) =>
    rows
      .filter(isMeant)
      .toSorted((one, other) => Number(sizeOf(other) - sizeOf(one)))
      .at(0);
  const isCost = ({ account: number, debit_ore }: DetailRow) => number >= 4000 && debit_ore > 0n;
  const isSale = ({ account: number, credit_ore }: DetailRow) =>
    number >= 3000 && number < 4000 && credit_ore > 0n;
  const isAsset = ({ account: number, debit_ore }: DetailRow) => number < 1300 && debit_ore > 0n;
  const rowOf: Readonly<Record<AccrualKind, DetailRow | undefined>> = {
    prepaid_cost: largest(isCost),
    prepaid_income: largest(isSale),
    accrued_cost: largest(isCost),
    accrued_income: largest(isSale),
    depreciation: largest(isAsset),
  };
  const fitting = (['prepaid_cost', 'prepaid_income', 'depreciation'] as const).find(
    (kind) => rowOf[kind] !== undefined,
  );
  const kind = asked ?? fitting ?? 'prepaid_cost';
  return { kind, origin, row: rowOf[kind] };
}

async function showForm(
  visit: Visit,
  input: FormInput,
  looked: WrittenAccrual | null,
): Promise<View> {
  const { tx } = visit;
  const begun = await beginning(visit);
  const typedKind = choice(accrualKinds).safeParse(textOf(input.fields, 'kind'));
  const kind = input.isSent && typedKind.success ? typedKind.data : begun.kind;
  const typedOrigin = z.guid().safeParse(textOf(input.fields, 'verifikat')).data;
  const origin = typedOrigin === undefined ? begun.origin : await getVoucher(tx, typedOrigin);
  const words = kindWords[kind];
  const since = origin ? { verifikat: origin.id } : {};
  return {
    template: 'accrual-form',
    title: kindNames[kind],
    values: {
      address,
      lead: words.lead,
      isPrepaid: isPrepaid(kind),
      origin: origin && { id: origin.id, label: labelOf(origin), description: origin.description },
      tabs: accrualKinds.map((one) => ({
        label: kindNames[one],
        href: `${address}?${new URLSearchParams({ slag: kindWords[one].place, ...since })}`,
        isCurrent: one === kind,
      })),
      accounts: await listUsableAccounts(tx),
      looked: looked && lookedAt(looked),
      form: formOf(input, {
        ...planFields(visit, input, { kind, origin, row: begun.row }),
        ...(await postingFields(visit, input, begun.row)),
      }),
    },
  };
}

/** What is spread, over which months, between which accounts. */
function planFields({ today }: Visit, input: FormInput, { kind, origin, row }: Beginning) {
  const words = kindWords[kind];
  const { usualBalance, usualResult } = accrualAccounts[kind];
  const resultAccount = usualResult ?? row?.account;
  const since = origin?.date ?? today;
  const depreciates = kind === 'depreciation';
  const hidden = (name: string, value: string) => field(input, name, '', { type: 'hidden', value });
  const accountField = (name: string, label: string, value: number | undefined) =>
    field(input, name, label, {
      isRequired: true,
      maxLength: 100,
      list: 'accounts',
      value: value === undefined ? '' : String(value),
    });
  return {
    kind: hidden('kind', kind),
    verifikat: hidden('verifikat', origin?.id ?? ''),
    description: field(input, 'description', 'Text', {
      isRequired: true,
      maxLength: 200,
      value: origin?.description ?? '',
      help: 'Står på varje verifikat, med månaden efter.',
    }),
    amount: field(input, 'amount', depreciates ? 'Belopp att skriva av' : 'Belopp utan moms', {
      type: 'amount',
      isRequired: true,
      maxLength: 30,
      value: row ? amountText(row.debit_ore + row.credit_ore) : '',
      ...(depreciates ? { help: 'Anskaffningsvärdet minus ett eventuellt restvärde.' } : {}),
    }),
    resultAccount: accountField('resultAccount', words.result, resultAccount),
    balanceAccount: accountField('balanceAccount', words.balance, usualBalance),
    firstMonth: field(input, 'firstMonth', 'Första månaden', {
      isRequired: true,
      maxLength: 10,
      placeholder: 'ÅÅÅÅ-MM',
      value: monthOf(since),
    }),
    months: field(input, 'months', 'Antal månader', {
      isRequired: true,
      maxLength: 3,
      size: 4,
      value: depreciates ? '60' : '',
    }),
    movedOn: field(input, 'movedOn', 'Flyttas till balanskontot den', {
      type: isPrepaid(kind) ? 'date' : 'hidden',
      isRequired: true,
      value: isPrepaid(kind) ? since : '',
      help: 'Samma dag som fakturan är bokförd, så tar de ut varandra.',
    }),
    sharesOn: field(input, 'sharesOn', 'Månadens del bokförs', {
      type: isPrepaid(kind) ? 'select' : 'hidden',
      isRequired: true,
      value: 'last',
      options: [
        { value: 'last', label: 'sista dagen i månaden' },
        { value: 'first', label: 'första dagen i månaden' },
      ],
    }),
  };
}

/** How it is posted. */
async function postingFields({ tx, today }: Visit, input: FormInput, row: DetailRow | undefined) {
  const year = await findYearOf(tx, today);
  const series = year ? await listSeries(tx, year.year) : [];
  const dimensions = (await listDimensions(tx)).filter(({ is_active }) => is_active);
  return {
    series: field(input, 'series', 'Serie', {
      type: 'select',
      isRequired: true,
      value: series.find(({ code }) => code === 'P')?.code ?? series[0]?.code ?? '',
      options: series.map(({ code, name }) => ({ value: code, label: `${code} – ${name}` })),
    }),
    costCenter: dimensionField(input, dimensions, 'cost_center', row?.cost_center_id),
    project: dimensionField(input, dimensions, 'project', row?.project_id),
    lateOn: field(input, 'lateOn', 'Det som hör till en låst period bokförs den', {
      type: 'date',
      help: 'Bara när någon månad redan är låst. Allt som skulle ha bokförts tidigare får den dagen.',
    }),
  };
}

function dimensionField(
  input: FormInput,
  dimensions: readonly Dimension[],
  kind: Dimension['kind'],
  value: string | null | undefined,
) {
  const [name, label] =
    kind === 'cost_center' ? ['costCenter', 'Kostnadsställe'] : ['project', 'Projekt'];
  const choices = dimensions.filter((one) => one.kind === kind);
  return field(input, name, label, {
    type: choices.length === 0 ? 'hidden' : 'select',
    value: value ?? '',
    options: [
      { value: '', label: '–' },
      ...choices.map(({ id, code, name: named }) => ({ value: id, label: `${code} ${named}` })),
    ],
  });
}

/** What would be posted, and when. */
const lookedAt = (written: WrittenAccrual) =>
  notBefore(plannedPostings(written), written.lateOn).map(({ part, date, resultOre }) => {
    const { resultAccount, balanceAccount } = written;
    const [debit, credit] =
      resultOre > 0n ? [resultAccount, balanceAccount] : [balanceAccount, resultAccount];
    return {
      date,
      part: partNames[part],
      accounts: `${debit} mot ${credit}`,
      amount: amountText(absolute(resultOre)),
    };
  });
